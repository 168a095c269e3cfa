// Choosing a move: a dot, and where several lines pass through it, one of them.

import { button, part } from '../core/dom.js'
import { announce } from '../core/page.js'
import { words } from '../core/words.js'
import { write } from './notation.js'
import { along, dot } from './rules.js'

/** @typedef {import('./rules.js').Move} Move */
/** @typedef {import('./rules.js').Cell} Cell */

const DIRECTIONS = /** @type {const} */ (['morpion.across', 'morpion.down', 'morpion.falling', 'morpion.rising'])

/** How far a place is from the line of a move, in cells. @param {Cell} place @param {Move} move @param {number} length */
function away(place, move, length) {
  const [a, b] = [along(move, 0), along(move, length - 1)]
  const [dx, dy] = [b.x - a.x, b.y - a.y]
  const share = Math.max(0, Math.min(1, ((place.x - a.x) * dx + (place.y - a.y) * dy) / (dx * dx + dy * dy)))
  return Math.hypot(place.x - a.x - share * dx, place.y - a.y - share * dy)
}

export class Chooser {
  /**
   * @param {import('./board.js').Board} board
   * @param {import('./game.js').Game} game
   */
  constructor(board, game) {
    this.board = board
    this.game = game
    /** The moves through the dot that is looked at. @type {Move[]} */
    this.options = []
    this.index = 0
    this.bar = part('chooser')
    button('line-before').onclick = () => this.turn(-1)
    button('line-next').onclick = () => this.turn(1)
    button('line-draw').onclick = () => this.play()
    game.listen(() => this.clear())
  }

  get chosen() {
    return this.options[this.index] ?? null
  }

  /** The legal moves through a dot. @param {Cell} cell */
  through({ x, y }) {
    return this.game.legal.filter(move => dot(move).x === x && dot(move).y === y)
  }

  /** The place of a dot that is nearest to a place, within some cells. @param {Cell} place @param {number} reach */
  nearest(place, reach) {
    const distance = (/** @type {Cell} */ cell) => Math.hypot(cell.x - place.x, cell.y - place.y)
    const cells = this.game.legal.map(dot).filter(cell => distance(cell) <= reach)
    return cells.sort((one, other) => distance(one) - distance(other))[0] ?? null
  }

  /**
   * Looks at a dot. With `bar`, a bar lets people choose who cannot point at lines.
   * @param {Move[]} options @param {number} index @param {boolean} bar
   */
  look(options, index, bar) {
    this.options = options
    this.index = index
    this.board.showGhosts(options, this.chosen, this.game.variant.length)
    this.bar.hidden = !bar || options.length < 2
    if (options.length > 1) part('line-which').textContent = words('morpion.line-of', { index: index + 1, all: options.length })
  }

  clear() {
    if (this.options.length > 0) this.look([], 0, false)
    this.bar.hidden = true
  }

  /** The next line, or the one before. @param {number} step */
  turn(step) {
    const count = this.options.length
    if (count === 0) return
    this.look(this.options, (this.index + step + count) % count, true)
    this.#speak()
  }

  /** Chooses the line that a place is nearest to; how far that is. @param {Cell} place */
  point(place) {
    const { length } = this.game.variant
    const distances = this.options.map(move => {
      // Near the dot all lines are near; then the one counts whose middle lies on that side of the dot.
      const [from, middle] = [dot(move), along(move, (length - 1) / 2)]
      const [dx, dy] = [place.x - from.x, place.y - from.y]
      const stretch = Math.min(4, (length - 1) / 2 / Math.max(Math.hypot(dx, dy), 0.01))
      return away(place, move, length) + 0.3 * Math.hypot(from.x + stretch * dx - middle.x, from.y + stretch * dy - middle.y)
    })
    const least = Math.min(...distances)
    const index = distances.indexOf(least)
    if (index >= 0 && index !== this.index) this.look(this.options, index, !this.bar.hidden)
    const nearest = this.options[index]
    return nearest ? away(place, nearest, length) : Infinity
  }

  /** Plays the move that is chosen. */
  play() {
    const { chosen } = this
    if (chosen) this.game.play(chosen)
  }

  /** Goes to the next dot in a direction, from the one that is looked at or from the middle. @param {number} dx @param {number} dy */
  step(dx, dy) {
    const from = this.chosen ? dot(this.chosen) : null
    const cells = this.game.legal.map(dot)
    const cost = (/** @type {Cell} */ cell) => {
      if (!from) return Math.hypot(cell.x - this.board.view.x, cell.y - this.board.view.y)
      const [x, y] = [cell.x - from.x, cell.y - from.y]
      const [ahead, aside] = [x * dx + y * dy, Math.abs(x * dy - y * dx)]
      return ahead > 0 ? ahead + 2.5 * aside : Infinity
    }
    const best = cells.reduce((least, cell) => Math.min(least, cost(cell)), Infinity)
    const next = cells.find(cell => cost(cell) === best)
    if (!next || best === Infinity) return
    this.look(this.through(next), 0, true)
    this.board.view.reveal(next.x, next.y)
    this.#speak()
  }

  #speak() {
    const { chosen, options, index } = this
    if (!chosen) return
    const which = options.length > 1 ? `, ${words('morpion.line-of', { index: index + 1, all: options.length })}` : ''
    announce(`${write(this.game.variant, chosen).split(' ')[0]}, ${words(DIRECTIONS[chosen.direction] ?? 'morpion.across')}${which}`)
  }
}
