// What stands beside and below the board: the score, the moves, what is to be seen.

import * as api from '../core/api.js'
import { button, find, input, isCalm, part } from '../core/dom.js'
import { announce, complain } from '../core/page.js'
import { choices } from '../core/prefer.js'
import { plural } from '../core/text.js'
import { write } from './notation.js'
import { VARIANTS } from './rules.js'

/** @typedef {import('./game.js').Game} Game */

/** Milliseconds between two moves of a replay. */
const BEAT = 110
const CALM_BEAT = 450

/** What is to be seen on the board, as a person has chosen. */
export class Sights {
  /** @param {() => void} changed */
  constructor(changed) {
    this.places = input('see-places')
    this.numbers = input('see-numbers')
    this.ages = input('see-ages')
    const shortcut = button('toggle-places')
    const mark = () => (shortcut.ariaPressed = String(this.places.checked))
    shortcut.onclick = () => this.places.click()
    const all = { places: false, numbers: true, ages: false }
    for (const [name, usual] of Object.entries(all)) {
      const box = this[/** @type {'places' | 'numbers' | 'ages'} */ (name)]
      box.checked = choices.get(`see-${name}`, usual)
      box.onchange = () => {
        choices.set(`see-${name}`, box.checked)
        mark()
        changed()
      }
    }
    mark()
  }

  /** @param {HTMLInputElement} box */
  toggle(box) {
    box.click()
  }
}

/** Plays the moves of a game one by one. */
export class Player {
  /** @param {Game} game */
  constructor(game) {
    this.game = game
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.beat = undefined
    this.button = button('replay')
    this.button.onclick = () => this.toggle()
  }

  get isPlaying() {
    return this.beat !== undefined
  }

  toggle() {
    if (this.isPlaying) return this.stop()
    if (this.game.at === this.game.moves.length) this.game.go(0)
    this.start()
  }

  start() {
    this.stop()
    if (this.game.at >= this.game.moves.length) return
    this.beat = setInterval(() => this.#step(), isCalm() ? CALM_BEAT : BEAT)
    this.#show()
  }

  #step() {
    this.game.go(this.game.at + 1)
    if (this.game.at >= this.game.moves.length) this.stop()
  }

  stop() {
    clearInterval(this.beat)
    this.beat = undefined
    this.#show()
  }

  #show() {
    this.button.classList.toggle('playing', this.isPlaying)
    this.button.ariaLabel = this.isPlaying ? 'Pause' : 'Replay'
  }
}

/** @type {Map<string, Promise<api.Problem>>} */
const problems = new Map()

/** What is known of a variant; asked for once. @param {string} problem */
export function known(problem) {
  let asked = problems.get(problem)
  if (!asked) {
    asked = api.problem(problem)
    asked.catch(() => problems.delete(problem))
    problems.set(problem, asked)
  }
  return asked
}

/** How far a score is from the record. @param {number} score @param {api.Known | null} record */
export function distance(score, record) {
  if (!record) return ''
  const short = record.score - score
  const proven = record.proven ? ', which is proven to be the most' : ''
  if (short > 0) return `${short} short of the record of ${record.score}`
  return short === 0 ? `Equals the record of ${record.score}${proven}` : `Breaks the record of ${record.score}!`
}

/** The score and the slider. @param {Game} game @param {Player} player */
export function controls(game, player) {
  const slider = input('slider')
  const [undo, redo] = [button('undo'), button('redo')]
  undo.onclick = () => (player.stop(), game.go(game.at - 1))
  redo.onclick = () => (player.stop(), game.go(game.at + 1))
  slider.oninput = () => (player.stop(), game.go(slider.valueAsNumber))
  for (const choice of part('variants').querySelectorAll('button')) {
    choice.onclick = () => {
      const variant = VARIANTS[choice.dataset.variant ?? '']
      if (variant && variant !== game.variant) (player.stop(), game.open(variant, []))
    }
  }

  async function standing() {
    const { variant, at } = game
    try {
      const { record } = await known(variant.problem)
      if (game.variant !== variant || game.at !== at) return
      part('distance').textContent = distance(at, record)
      part('distance').title = record?.holder ?? ''
    } catch (error) {
      complain(error)
    }
  }

  function show() {
    const { at, moves, variant, legal, title, provenance } = game
    const open = legal.length
    slider.max = String(moves.length)
    slider.value = String(at)
    slider.ariaValueText = `Move ${at} of ${moves.length}`
    undo.disabled = at === 0
    redo.disabled = at === moves.length
    button('replay').disabled = moves.length === 0
    part('place').textContent = `${at} / ${moves.length}`
    part('score').textContent = String(at)
    part('unit').textContent = at === 1 ? 'move' : 'moves'
    part('left').textContent = open === 0 ? 'The game is over: no line can be drawn.' : `${plural(open, 'line')} can be drawn.`
    part('title').textContent = title || 'Morpion Solitaire'
    const whence = [provenance['author'], provenance['search'], provenance['date']].filter(Boolean).join(' · ')
    part('whence').textContent = whence
    part('whence').hidden = whence === ''
    for (const choice of part('variants').querySelectorAll('button')) {
      choice.ariaPressed = String(choice.dataset.variant === variant.name)
    }
    void standing()
  }

  game.listen(({ forward }) => {
    show()
    const last = game.moves[game.at - 1]
    if (forward && last && !player.isPlaying) {
      announce(`Move ${game.at}: ${write(game.variant, last)}. ${part('left').textContent}`)
    }
  })
  show()
  find('board', SVGSVGElement).classList.add('ready')
}
