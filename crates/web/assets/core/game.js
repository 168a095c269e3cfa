// A game whose moves are texts: all of them, and how far into them the board is.

/**
 * `forward`: one move further; `opened`: another game.
 * @typedef {{ forward: boolean, opened: boolean }} Change
 * @typedef {{ at?: number, title?: string, provenance?: Record<string, unknown> }} About
 */

export class Game {
  constructor() {
    this.problem = ''
    /** All moves, those that were taken back included. @type {string[]} */
    this.moves = []
    /** How many of them are on the board. */
    this.at = 0
    this.title = ''
    /** @type {Record<string, unknown>} */
    this.provenance = {}
    /** @type {((change: Change) => void)[]} */
    this.listeners = []
  }

  /** @param {(change: Change) => void} listener */
  listen(listener) {
    this.listeners.push(listener)
  }

  get played() {
    return this.moves.slice(0, this.at)
  }

  /** @param {Partial<Change>} [change] */
  changed(change = {}) {
    for (const listener of this.listeners) listener({ forward: false, opened: false, ...change })
  }

  /** Plays a legal move. What had been taken back is forgotten, unless it is the same move again. @param {string} move */
  play(move) {
    if (this.moves[this.at] !== move) this.#goOn([move])
    this.at += 1
    this.changed({ forward: true })
  }

  /** New moves for the end of what is on the board, to be played one by one, and where they come from. @param {string[]} moves @param {Record<string, unknown>} provenance */
  extend(moves, provenance) {
    this.#goOn(moves)
    this.provenance = provenance
    this.changed()
  }

  /** Other moves instead of those on the board. @param {string[]} moves */
  replace(moves) {
    this.at = 0
    this.#goOn(moves)
    this.at = moves.length
    this.changed()
  }

  /** A game that somebody plays on is somebody else's no more. @param {string[]} moves */
  #goOn(moves) {
    this.moves = [...this.played, ...moves]
    this.title = ''
    this.provenance = {}
  }

  /** Puts so many moves on the board. @param {number} count */
  go(count) {
    const at = Math.max(0, Math.min(count, this.moves.length))
    if (at === this.at) return
    const forward = at === this.at + 1
    this.at = at
    this.changed({ forward })
  }

  /** @param {string} problem @param {string[]} moves legal ones @param {About} [about] */
  open(problem, moves, { at = moves.length, title = '', provenance = {} } = {}) {
    Object.assign(this, { problem, moves, at, title, provenance })
    this.changed({ opened: true })
  }
}
