// The rules of Quarto, so that a move is answered at once. The server has the last word.

import { words } from '../core/words.js'

/**
 * A game is numbers from 0 to 15 in turn: a piece that is given, then the cell it is put on.
 * A piece is four bits: 8 is dark, 4 tall, 2 square, 1 flat. A cell is 4 times its row and its column.
 * @typedef {{ cells: number[], shared: string[] }} Won
 */

/** The traits as bits of what a piece has: those of its bits, then their opposites. */
export const TRAITS = /** @type {const} */ (['quarto.flat', 'quarto.square', 'quarto.tall', 'quarto.dark', 'quarto.hollow', 'quarto.round', 'quarto.short', 'quarto.light']).map(name => words(name))

const ALL = Array.from({ length: 16 }, (_, index) => index)
const rows = [0, 1, 2, 3].map(row => [0, 1, 2, 3].map(column => 4 * row + column))
const columns = [0, 1, 2, 3].map(column => [0, 1, 2, 3].map(row => 4 * row + column))
export const LINES = [...rows, ...columns, [0, 5, 10, 15], [3, 6, 9, 12]]
export const SQUARES = [0, 1, 2, 4, 5, 6, 8, 9, 10].map(corner => [corner, corner + 1, corner + 4, corner + 5])

/** Traits in a row: tall and round. @param {string[]} traits */
export const together = traits => traits.join(` ${words('quarto.and')} `)

/** Traits of which one is enough: tall or round. @param {string[]} traits */
export const either = traits => traits.join(` ${words('quarto.or')} `)

/** @param {number} piece */
export const traitsOf = piece => piece | ((~piece & 15) << 4)

/** What a piece is, in words. @param {number} piece */
export const traitsInWords = piece =>
  [3, 2, 1, 0].map(bit => TRAITS[piece & (1 << bit) ? bit : bit + 4]).join(', ')

export class Position {
  /** @param {boolean} squares whether squares of four win too @param {number[]} moves legal ones */
  constructor(squares, moves) {
    this.squares = squares
    this.moves = moves
    /** The piece on each cell. @type {(number | null)[]} */
    this.board = ALL.map(() => null)
    const given = moves.filter((_, index) => index % 2 === 0)
    moves.forEach((cell, index) => {
      if (index % 2 === 1) this.board[cell] = given[(index - 1) / 2] ?? null
    })
    /** The piece that is to be placed. @type {number | null} */
    this.hand = moves.length % 2 === 1 ? (given[given.length - 1] ?? null) : null
    /** The pieces that can be given. */
    this.left = ALL.filter(piece => !given.includes(piece))
    /** The lines that have won. @type {Won[]} */
    this.won = (squares ? [...LINES, ...SQUARES] : LINES).flatMap(cells => {
      const shared = cells.reduce((shared, cell) => shared & (this.board[cell] === null ? 0 : traitsOf(this.board[cell] ?? 0)), 255)
      return shared ? [{ cells, shared: TRAITS.filter((_, bit) => shared & (1 << bit)) }] : []
    })
  }

  /** Who makes the next move: 0 is the first player, who gives the first piece. */
  get turn() {
    const { length } = this.moves
    return length % 2 === 0 ? (length / 2) % 2 : 1 - (((length - 1) / 2) % 2)
  }

  /** The winner; null if there is none. */
  get winner() {
    // Who placed the last piece is to give the next.
    return this.won.length > 0 ? this.turn : null
  }

  get isOver() {
    return this.won.length > 0 || this.moves.length === 32
  }

  /** The legal moves. @returns {number[]} */
  get legal() {
    if (this.isOver) return []
    return this.hand === null ? this.left : ALL.filter(cell => this.board[cell] === null)
  }
}

/** Whether the rules allow all moves of a game. @param {boolean} squares @param {number[]} moves */
export const isLegal = (squares, moves) =>
  moves.every((move, index) => new Position(squares, moves.slice(0, index)).legal.includes(move))
