// Sudoku and Kakuro as the page sees them: a grid of places, and moves such as `r3c4=7`.

import { words } from '../core/words.js'

/**
 * A place: a cell to be filled, with a value at the start or none; or a black one with clues.
 * @typedef {{ kind: 'cell', given: number } | { kind: 'black', down: number | null, across: number | null }} Place
 */

export class Puzzle {
  /** @param {string} problem @param {any} view what the server says of it */
  constructor(problem, view) {
    this.problem = problem
    this.isSudoku = problem.startsWith('sudoku')
    /** The boxes of a Sudoku, in a row of boxes. @type {number} */
    this.order = view.order ?? 0
    this.width = this.isSudoku ? this.order ** 2 : view.width
    this.largest = this.isSudoku ? this.width : view.largest
    /** What rows and columns are counted from. */
    this.base = this.isSudoku ? 1 : 0
    /** @type {Place[]} */
    this.places = this.isSudoku
      ? view.givens.map((/** @type {number} */ given) => ({ kind: 'cell', given }))
      : view.places.map((/** @type {any} */ place) => ('value' in place ? { kind: 'cell', given: 0 } : { kind: 'black', down: place.down, across: place.across }))
    this.height = this.places.length / this.width
  }

  /** `r3c4` @param {number} place */
  name(place) {
    return `r${Math.floor(place / this.width) + this.base}c${(place % this.width) + this.base}`
  }

  /** The place of a name, or -1. @param {string} name */
  placeOf(name) {
    const parts = name.match(/^r(\d+)c(\d+)$/)
    return parts ? (Number(parts[1]) - this.base) * this.width + Number(parts[2]) - this.base : -1
  }

  /** The values after some moves, 0 for none. @param {string[]} moves */
  values(moves) {
    const values = this.places.map(place => (place.kind === 'cell' ? place.given : 0))
    for (const move of moves) {
      const [name = '', value = ''] = move.split('=')
      values[this.placeOf(name)] = Number(value)
    }
    return values
  }

  /** How many cells have no value. @param {number[]} values */
  free(values) {
    return this.places.filter((place, index) => place.kind === 'cell' && !values[index]).length
  }

  /** The cells that must differ from one: its row, column and box, or its two lines. @param {number} place */
  peers(place) {
    const { width, order } = this
    const [row, column] = [Math.floor(place / width), place % width]
    if (this.isSudoku) {
      const box = (/** @type {number} */ r, /** @type {number} */ c) => `${Math.floor(r / order)} ${Math.floor(c / order)}`
      return this.places.flatMap((_, other) => {
        const [r, c] = [Math.floor(other / width), other % width]
        return other !== place && (r === row || c === column || box(r, c) === box(row, column)) ? [other] : []
      })
    }
    const line = (/** @type {number} */ step, /** @type {number} */ count) => {
      const cells = []
      for (let other = place + step, left = count; left > 0 && this.places[other]?.kind === 'cell'; other += step, left--) cells.push(other)
      return cells
    }
    return [...line(-1, column), ...line(1, width - 1 - column), ...line(-width, row), ...line(width, this.height - 1 - row)]
  }

  /** Why a cell has no value left, in words. @param {number} place @param {number[]} values */
  why(place, values) {
    const holders = new Map(this.peers(place).flatMap(peer => (values[peer] ? [[values[peer], this.name(peer)]] : [])))
    const taken = Array.from({ length: this.largest }, (_, index) => index + 1).map(value => [value, holders.get(value)])
    const missing = taken.filter(([, holder]) => !holder).map(([value]) => value)
    const named = taken.filter(([, holder]) => holder).map(([value, holder]) => words('sudoku.is-at', { value: value ?? 0, there: holder ?? '' }))
    const sums = missing.length > 0 ? [words('sudoku.would-break-the-sums', { values: missing.join(', ') })] : []
    return words('sudoku.no-value-left', { cell: this.name(place), why: [...named, ...sums].join(', ') })
  }
}
