// The game that is played: its moves, how far into them the board is, and who plays.

import { Position } from './rules.js'

/**
 * `forward`: one move further; `opened`: another game.
 * @typedef {{ forward: boolean, opened: boolean }} Change
 */

export class Game {
  constructor() {
    this.squares = false
    /** All moves, those that were taken back included. @type {number[]} */
    this.moves = []
    /** How many of them are on the board. */
    this.at = 0
    this.position = new Position(false, [])
    /** Who plays first and second: the name of a level, or empty for a person. @type {[string, string]} */
    this.seats = ['', '']
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

  /** Whether a person makes the next move. */
  get isPersons() {
    return !this.position.isOver && this.seats[this.position.turn === 0 ? 0 : 1] === ''
  }

  /** The level that makes the next move; nothing if it is a person or the game is over. */
  get level() {
    return this.position.isOver ? '' : this.seats[this.position.turn === 0 ? 0 : 1]
  }

  /** @param {Partial<Change>} [change] */
  changed(change = {}) {
    this.position = new Position(this.squares, this.played)
    for (const listener of this.listeners) listener({ forward: false, opened: false, ...change })
  }

  /** Plays a legal move; what had been taken back is forgotten. @param {number} move */
  play(move) {
    if (!this.position.legal.includes(move)) return
    this.moves = [...this.played, move]
    this.at += 1
    this.changed({ forward: true })
  }

  /** Puts so many moves on the board. @param {number} count */
  go(count) {
    const at = Math.max(0, Math.min(count, this.moves.length))
    if (at === this.at) return
    this.at = at
    this.changed()
  }

  /** How many moves are left if a person's last is taken back, and all that came after it; nothing if there is none. */
  get before() {
    for (let at = this.at - 1; at >= 0; at--) {
      const { turn } = new Position(this.squares, this.moves.slice(0, at))
      if (this.seats[turn === 0 ? 0 : 1] === '') return at
    }
    return this.seats.includes('') || this.at === 0 ? null : this.at - 1
  }

  /** Takes a person's last move back, with what the computer replied. */
  undo() {
    const { before } = this
    if (before !== null) this.go(before)
  }

  /** Plays on to where a person is to move again. */
  redo() {
    let at = this.at + 1
    const isPersons = () => this.seats[new Position(this.squares, this.moves.slice(0, at)).turn === 0 ? 0 : 1] === ''
    while (at < this.moves.length && this.seats.includes('') && !isPersons()) at += 1
    this.go(at)
  }

  /** @param {boolean} squares @param {number[]} moves legal ones @param {number} [at] */
  open(squares, moves, at = moves.length) {
    Object.assign(this, { squares, moves, at })
    this.changed({ opened: true })
  }
}
