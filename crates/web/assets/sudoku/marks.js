// Pencil marks of your own: small values in empty cells, kept with the game. The hints know them.

import { button, html, part } from '../core/dom.js'
import { complain } from '../core/page.js'
import { words } from '../core/words.js'
import { MOST_MARKED } from './grid.js'

/** @typedef {import('./puzzle.js').Puzzle} Puzzle */

/** @param {string} mark */
const parts = mark => {
  const [name = '', value = ''] = mark.split('=')
  return { name, value: Number(value) }
}

export class Marks {
  /** @param {import('../core/game.js').Game} game @param {() => Puzzle} puzzle the one on the grid @param {() => void} changed what is written next has changed */
  constructor(game, puzzle, changed) {
    this.game = game
    this.puzzle = puzzle
    this.changed = changed
    /** Whether keys and buttons write marks, and no values. */
    this.isOn = false
    button('write-values').onclick = () => this.write(false)
    button('write-marks').onclick = () => this.write(true)
    button('mark-all').onclick = () => this.#all()
    button('mark-none').onclick = () => this.game.mark([...this.game.marks])
    game.listen(({ opened }) => {
      if (opened) part('writing').hidden = !this.isPossible
      if (opened && !this.isPossible) this.write(false)
      this.#show()
    })
  }

  /** Whether cells have room for marks. */
  get isPossible() {
    return this.puzzle().largest <= MOST_MARKED
  }

  /** Writes marks from now on, or values. @param {boolean} isOn */
  write(isOn) {
    this.isOn = isOn && this.isPossible
    button('write-values').ariaPressed = String(!this.isOn)
    button('write-marks').ariaPressed = String(this.isOn)
    document.body.classList.toggle('marking', this.isOn)
    this.changed()
  }

  #show() {
    button('mark-all').disabled = !this.isPossible
    button('mark-none').disabled = this.game.marks.size === 0
  }

  /** The values of the grid now. */
  get #values() {
    return this.puzzle().values(this.game.played)
  }

  /** The marks that are seen, by place: not those that a value hides. @returns {Map<number, number[]>} */
  get seen() {
    const [puzzle, values] = [this.puzzle(), this.#values]
    /** @type {Map<number, number[]>} */
    const seen = new Map()
    for (const mark of this.game.marks) {
      const { name, value } = parts(mark)
      const place = puzzle.placeOf(name)
      if (values[place] || puzzle.peers(place).some(peer => values[peer] === value)) continue
      seen.set(place, [...(seen.get(place) ?? []), value].sort((one, other) => one - other))
    }
    return seen
  }

  /** The same as moves. */
  get texts() {
    const puzzle = this.puzzle()
    return [...this.seen].flatMap(([place, values]) => values.map(value => `${puzzle.name(place)}=${value}`))
  }

  /** Makes a mark or takes it away; 0 takes away all of the cell. @param {number} place @param {number} value */
  put(place, value) {
    const [puzzle, values] = [this.puzzle(), this.#values]
    const cell = puzzle.name(place)
    if (value > puzzle.largest || values[place]) return
    if (value === 0) return this.game.mark([...this.game.marks].filter(mark => parts(mark).name === cell))
    const holder = puzzle.peers(place).find(peer => values[peer] === value)
    if (holder !== undefined) return complain(words('sudoku.needs-no-mark', { value, there: puzzle.name(holder), here: cell }))
    this.game.mark([`${cell}=${value}`])
  }

  /** Marks every value that no value excludes. */
  #all() {
    const [puzzle, values, marks] = [this.puzzle(), this.#values, this.game.marks]
    const missing = puzzle.places.flatMap((place, index) => {
      if (place.kind === 'black' || values[index]) return []
      const taken = new Set(puzzle.peers(index).map(peer => values[peer]))
      const possible = Array.from({ length: puzzle.largest }, (_, number) => number + 1).filter(value => !taken.has(value))
      return possible.map(value => `${puzzle.name(index)}=${value}`).filter(mark => !marks.has(mark))
    })
    this.game.mark(missing)
  }

  /** Whether the marks show already what a step excludes. @param {import('../core/api.js').Reason} step */
  show(step) {
    const [puzzle, seen] = [this.puzzle(), this.seen]
    const isGone = (/** @type {string} */ text) => {
      const { name, value } = parts(text)
      const own = seen.get(puzzle.placeOf(name))
      return own !== undefined && !own.includes(value)
    }
    return step.played === null && step.excluded.every(isGone)
  }

  /** A button that takes away the marks that some steps exclude; nothing where there are none. @param {import('../core/api.js').Reason[]} steps */
  rubber(steps) {
    const marks = this.game.marks
    const excluded = [...new Set(steps.flatMap(step => step.excluded))].filter(text => marks.has(text))
    if (excluded.length === 0) return null
    return html('button', { type: 'button', id: 'rub-out', class: 'link', click: () => this.game.mark(excluded) }, words('sudoku.rub-out', { n: excluded.length }))
  }

  /** The cells with marks of which none is right. @param {string[]} wrong marks that are not in the solution */
  misleading(wrong) {
    const puzzle = this.puzzle()
    return [...this.seen].filter(([place, values]) => values.every(value => wrong.includes(`${puzzle.name(place)}=${value}`))).map(([place]) => place)
  }
}
