// Who plays: people and levels of the computer, which reply by themselves.

import * as api from '../core/api.js'
import { html, isCalm, part, select } from '../core/dom.js'
import { complain } from '../core/page.js'
import { choices } from '../core/prefer.js'
import { words } from '../core/words.js'
import { problemOf, read, write } from './notation.js'

/** @typedef {import('./game.js').Game} Game */

/** Milliseconds that a move of the computer takes at least, so that people can follow; its first move is made at once. */
const PAUSE = 550

const NAMES = /** @type {const} */ (['first', 'second'])

export class Seats {
  /** @param {Game} game */
  constructor(game) {
    this.game = game
    /** @type {api.Level[]} */
    this.levels = []
    /** @type {AbortController | null} */
    this.thinking = null
    /** Whether the computer waits for a command, as while earlier moves are shown. */
    this.waits = false
    game.listen(({ forward, opened }) => {
      this.waits = !forward && !opened && game.at < game.moves.length
      this.#reply()
    })
  }

  /** Asks for the levels and shows the menus. */
  async ready() {
    const { levels } = await api.table('quarto')
    this.levels = levels
    const kept = choices.get('quarto-seats', ['easy', ''])
    NAMES.forEach((name, seat) => {
      const menu = select(`seat-${name}`)
      menu.append(
        html('option', { value: '' }, words('quarto.a-person')),
        ...levels.map(level => html('option', { value: level.name }, words('quarto.the-computer-at', { level: level.name }))),
      )
      menu.value = kept[seat] ?? ''
      if (menu.selectedIndex < 0) menu.value = ''
      menu.onchange = () => this.#chosen()
    })
    this.#read()
    this.#about()
  }

  #read() {
    this.game.seats = [select('seat-first').value, select('seat-second').value]
  }

  #chosen() {
    this.#read()
    choices.set('quarto-seats', this.game.seats)
    this.#about()
    this.waits = false
    this.game.changed()
  }

  /** Lets these play for now: what was chosen before is asked for again next time. @param {string} first @param {string} second */
  take(first, second) {
    select('seat-first').value = first
    select('seat-second').value = second
    this.#read()
    this.#about()
  }

  /** Exchanges the two players. */
  swap() {
    const [first, second] = this.game.seats
    select('seat-first').value = second
    select('seat-second').value = first
    this.#chosen()
  }

  /** What the levels are like. */
  #about() {
    const chosen = [...new Set(this.game.seats)].flatMap(name => this.levels.filter(level => level.name === name))
    part('levels').replaceChildren(
      ...chosen.map(({ name, about }) => html('p', {}, html('strong', {}, capital(name)), ` ${about}.`)))
  }

  /** A player as people say it. @param {number} player */
  name(player) {
    const [mine, other] = [this.game.seats[player === 0 ? 0 : 1], this.game.seats[player === 0 ? 1 : 0]]
    const who = words(player === 0 ? 'quarto.first-player' : 'quarto.second-player')
    if (mine === '') return other === '' ? who : words('quarto.you')
    return other === '' ? words('quarto.the-computer') : `${who} (${mine})`
  }

  /** Whether a player is the only person here, who is called you. @param {number} player */
  isYou(player) {
    return this.game.seats[player === 0 ? 0 : 1] === '' && this.game.seats[player === 0 ? 1 : 0] !== ''
  }

  /** Lets the computer play on from a position that was looked at. */
  goOn() {
    this.waits = false
    this.#reply()
  }

  get isThinking() {
    return this.game.level !== '' && !this.waits
  }

  async #reply() {
    const { game } = this
    this.thinking?.abort()
    if (!this.isThinking) return
    const asking = new AbortController()
    this.thinking = asking
    const pause = game.at === 0 ? 0 : isCalm() ? PAUSE * 1.5 : PAUSE
    try {
      const [reply] = await Promise.all([
        api.reply(problemOf(game.squares), write(game.played), game.level, asking.signal),
        new Promise(done => setTimeout(done, pause)),
      ])
      if (asking.signal.aborted) return
      const move = read([...write(game.played), reply.move]).pop()
      if (move !== undefined) game.play(move)
    } catch (error) {
      if (error instanceof DOMException) return
      complain(error)
      this.waits = true
      game.changed()
    }
  }
}

/** @param {string} text */
export const capital = text => text.slice(0, 1).toUpperCase() + text.slice(1)
