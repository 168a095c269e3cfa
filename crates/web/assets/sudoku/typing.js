// A puzzle that is typed in: the digits that a Sudoku gives, the black cells and sums of a Kakuro.

import { button, input, part } from '../core/dom.js'
import { announce } from '../core/page.js'
import { words } from '../core/words.js'
import { Puzzle } from './puzzle.js'

/** @typedef {import('./puzzle.js').Place} Place */

export class Typing {
  /** @param {import('./grid.js').Grid} grid @param {(values: number[]) => Set<number>} clashes the cells of values that contradict each other */
  constructor(grid, clashes) {
    this.grid = grid
    this.clashes = clashes
    /** Whether a puzzle is being typed in. */
    this.isOn = false
    this.puzzle = new Puzzle('sudoku:typed', { order: 2, givens: Array(16).fill(0) })
    /** The digits of a Sudoku. @type {number[]} */
    this.values = []
    button('blacken').onclick = () => (this.blacken(), this.grid.focus())
    for (const side of /** @type {const} */ (['down', 'across'])) {
      input(`sum-${side}`).oninput = () => this.#sum(side, input(`sum-${side}`).value)
    }
    grid.element.addEventListener('focusin', () => this.isOn && this.#showSums())
  }

  /** Begins with an empty grid: so many boxes in a row for a Sudoku, so many cells for a Kakuro. @param {'sudoku' | 'kakuro'} kind @param {number} size */
  begin(kind, size) {
    this.isOn = true
    document.body.classList.add('typing')
    const isEdge = (/** @type {number} */ index) => index < size + 1 || index % (size + 1) === 0
    const places = Array.from({ length: (size + 1) ** 2 }, (_, index) => (isEdge(index) ? { down: null, across: null } : { value: 0 }))
    const view = kind === 'sudoku' ? { order: size, givens: Array(size ** 4).fill(0) } : { width: size + 1, largest: 9, places }
    this.puzzle = new Puzzle(`${kind}:typed`, view)
    this.values = this.puzzle.places.map(() => 0)
    for (const name of ['blacken', 'sums']) part(name).hidden = kind === 'sudoku'
    part('type-what').textContent = words(kind === 'sudoku' ? 'sudoku.type-values' : 'sudoku.type-sums')
    this.grid.at = -1
    this.#show()
    this.grid.focus()
    announce(`${part('type-what').textContent} ${words('sudoku.then-press-done')}`)
  }

  end() {
    this.isOn = false
    document.body.classList.remove('typing')
  }

  #show() {
    const { at } = this.grid
    this.grid.reset(this.puzzle, true)
    if (this.puzzle.places[at]) this.grid.at = at
    this.draw()
  }

  /** @param {Set<number>} [wrong] */
  draw(wrong = this.clashes(this.values)) {
    const { puzzle } = this
    this.grid.draw(this.values, { wrong })
    part('title').textContent = words(puzzle.isSudoku ? 'sudoku.your-sudoku' : 'sudoku.your-kakuro')
    for (const name of ['puzzle-name', 'left', 'contradiction', 'checked']) part(name).textContent = ''
    const clues = puzzle.places.flatMap(place => (place.kind === 'black' ? [place.down, place.across] : [])).filter(sum => sum !== null)
    part('score').textContent = String(puzzle.isSudoku ? this.values.filter(Boolean).length : clues.length)
    part('unit').textContent = words(puzzle.isSudoku ? 'sudoku.values-given' : 'sudoku.sums-given')
    part('falling').hidden = true
    this.#showSums()
  }

  /** A value for the cell that is looked at; 0 empties it. @param {number} value */
  put(value) {
    if (!this.puzzle.isSudoku || value > this.puzzle.largest) return
    this.values[this.grid.at] = value
    this.draw()
  }

  /** Makes the cell that is looked at black, or white again. */
  blacken() {
    const { puzzle, grid: { at } } = this
    const place = puzzle.places[at]
    if (puzzle.isSudoku || !place || at < puzzle.width || at % puzzle.width === 0) return
    puzzle.places[at] = place.kind === 'black' ? { kind: 'cell', given: 0 } : { kind: 'black', down: null, across: null }
    this.#show()
    this.grid.focus()
  }

  #showSums() {
    const place = this.puzzle.places[this.grid.at]
    for (const side of /** @type {const} */ (['down', 'across'])) {
      input(`sum-${side}`).disabled = place?.kind !== 'black'
      input(`sum-${side}`).value = place?.kind === 'black' ? String(place[side] ?? '') : ''
    }
  }

  /** @param {'down' | 'across'} side @param {string} text */
  #sum(side, text) {
    const place = this.puzzle.places[this.grid.at]
    if (place?.kind !== 'black') return
    place[side] = /^\d{1,3}$/.test(text.trim()) ? Number(text) : null
    this.grid.clue(this.grid.at, place)
    const sums = this.puzzle.places.flatMap(place => (place.kind === 'black' ? [place.down, place.across] : []))
    part('score').textContent = String(sums.filter(sum => sum !== null).length)
  }

  /** The puzzle as it would stand in a file. */
  get text() {
    const { puzzle, values } = this
    const symbol = (/** @type {Place} */ place, /** @type {number} */ index) => {
      if (place.kind === 'cell') return values[index] ? String(values[index]) : '.'
      return place.down === null && place.across === null ? '#' : `${place.down ?? ''}\\${place.across ?? ''}`
    }
    const symbols = puzzle.places.map(symbol)
    const row = (/** @type {number} */ number) => symbols.slice(number * puzzle.width, (number + 1) * puzzle.width).join(' ')
    return Array.from({ length: puzzle.height }, (_, number) => row(number)).join('\n')
  }

  /** What it is a puzzle of. */
  get kind() {
    return this.puzzle.isSudoku ? 'sudoku' : 'kakuro'
  }

  /** Keeps what was typed, and says what is wrong with it. @param {string} message */
  complain(message) {
    const named = [...message.matchAll(/r\d+c\d+/g)].map(([name]) => this.puzzle.placeOf(name))
    this.draw(new Set(named))
    part('contradiction').textContent = message
  }
}
