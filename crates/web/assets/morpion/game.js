// The game that is played: its moves, and how far into them the board is.

import { Position, VARIANTS, same } from './rules.js'
import { pack, unpack } from './notation.js'
import { packRanks, unpackRanks } from './ranks.js'

/** @typedef {import('./rules.js').Move} Move */
/** @typedef {import('./rules.js').Variant} Variant */
/** @typedef {Record<string, unknown>} Provenance */

/** @type {Variant} */
const FIRST = /** @type {Variant} */ (VARIANTS['5T'])

export class Game {
  constructor() {
    /** @type {Variant} */
    this.variant = FIRST
    /** All moves, those that were taken back included. @type {Move[]} */
    this.moves = []
    /** How many of them are on the board. */
    this.at = 0
    /** What is known of its origin. @type {Provenance} */
    this.provenance = {}
    /** Its name, if it is a known game. */
    this.title = ''
    /** The legal moves. @type {Move[]} */
    this.legal = []
    /** @type {((change: Change) => void)[]} */
    this.listeners = []
    this.#think()
  }

  /** @typedef {{ forward: boolean, opened: boolean }} Change one move further; or another game */

  /** @param {(change: Change) => void} listener */
  listen(listener) {
    this.listeners.push(listener)
  }

  /** The moves on the board. */
  get played() {
    return this.moves.slice(0, this.at)
  }

  get isOver() {
    return this.legal.length === 0
  }

  #think() {
    this.legal = new Position(this.variant, this.played).legal()
  }

  /** @param {Partial<Change>} change */
  #changed(change = {}) {
    this.#think()
    for (const listener of this.listeners) listener({ forward: false, opened: false, ...change })
  }

  /** Plays a legal move. What had been taken back is forgotten, unless it is the same move again. @param {Move} move */
  play(move) {
    const next = this.moves[this.at]
    if (!next || !same(next, move)) {
      this.moves = [...this.played, move]
      this.#own()
    }
    this.at += 1
    this.#changed({ forward: true })
  }

  /** A game that is continued loses its name and origin. */
  #own() {
    this.provenance = {}
    this.title = ''
  }

  /** Puts so many moves on the board. @param {number} count */
  go(count) {
    const at = Math.max(0, Math.min(count, this.moves.length))
    if (at === this.at) return
    const forward = at === this.at + 1
    this.at = at
    this.#changed({ forward })
  }

  /**
   * Another game, from the start or at its end.
   * @param {Variant} variant @param {Move[]} moves legal ones
   * @param {{ at?: number, title?: string, provenance?: Provenance }} [about]
   */
  open(variant, moves, { at = moves.length, title = '', provenance = {} } = {}) {
    Object.assign(this, { variant, moves, at, title, provenance })
    this.#changed({ opened: true })
  }

  /** New moves for the end of what is on the board, to be played one by one. @param {Move[]} moves */
  extend(moves) {
    this.moves = [...this.played, ...moves]
    this.#own()
    this.#changed()
  }

  /** As few letters, for a link. */
  link() {
    return packRanks(this.variant, this.moves) ?? this.pack()
  }

  /** As letters that are quickly written, for the browser's memory. */
  pack() {
    return pack(this.variant, this.moves)
  }

  /** Takes a packed game; false if it is none. @param {string} packed @param {{ at?: number, title?: string, provenance?: Provenance }} [about] */
  unpack(packed, about) {
    const game = unpack(packed) ?? unpackRanks(packed)
    if (game) this.open(game.variant, game.moves, about)
    return game !== null
  }
}
