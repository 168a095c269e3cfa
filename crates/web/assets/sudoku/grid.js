// The grid as buttons: values, values that are still possible, clues.

import { html, part } from '../core/dom.js'
import { roving } from '../core/grid.js'
import { words } from '../core/words.js'

/** @typedef {import('./puzzle.js').Puzzle} Puzzle */

/** @typedef {{ down: number | null, across: number | null }} Black */

/** The largest value with which cells have room for small values. */
export const MOST_MARKED = 16

/** The sums in a black cell. @param {Black} black */
const clues = ({ down, across }) =>
  /** @type {const} */ ([['down', down], ['across', across]]).flatMap(([name, sum]) => (sum === null ? [] : [html('span', { class: name }, String(sum))]))

/** A black cell in words. @param {Black} black */
const about = ({ down, across }) => [down === null ? '' : words('sudoku.sum-down-is', { sum: down }), across === null ? '' : words('sudoku.sum-across-is', { sum: across })].filter(Boolean).join(', ') || words('sudoku.black')

export class Grid {
  /** @param {(place: number) => void} clicked */
  constructor(clicked) {
    this.element = part('board')
    this.clicked = clicked
    /** @type {HTMLElement[]} */
    this.cells = []
    /** @type {Puzzle | null} */
    this.puzzle = null
    /** The place that values are typed into. */
    this.at = 0
    this.element.addEventListener('focusin', event => {
      const place = this.cells.findIndex(cell => cell === event.target)
      if (place >= 0) this.look(place)
    })
  }

  /** A new puzzle. Black cells can be chosen too while it is typed in. @param {Puzzle} puzzle @param {boolean} [isTyped] */
  reset(puzzle, isTyped = false) {
    this.puzzle = puzzle
    const { width, height, order, isSudoku, places } = puzzle
    this.element.className = isSudoku ? 'sudoku-grid' : 'kakuro-grid'
    this.element.style.setProperty('--columns', String(width))
    this.element.style.setProperty('--rows', String(height))
    this.cells = places.map((place, index) => {
      if (place.kind === 'black') {
        if (isTyped) return html('button', { type: 'button', class: 'black', 'aria-label': about(place), click: () => this.clicked(index) }, ...clues(place))
        return html('div', { class: 'black', role: 'img', 'aria-label': about(place) }, ...clues(place))
      }
      const [row, column] = [Math.floor(index / width), index % width]
      const edges = isSudoku ? `${column % order === 0 ? ' west' : ''}${row % order === 0 ? ' north' : ''}` : ''
      return html('button', { type: 'button', class: `square${place.given ? ' given' : ''}${edges}`, click: () => this.clicked(index) })
    })
    this.element.replaceChildren(...this.cells)
    roving(this.element, this.cells, width, cell => cell instanceof HTMLButtonElement)
    this.at = places.findIndex(place => place.kind === 'cell' && !place.given)
  }

  /** Other clues for a black cell. @param {number} place @param {Black} black */
  clue(place, black) {
    const cell = this.cells[place]
    cell?.replaceChildren(...clues(black))
    if (cell) cell.ariaLabel = about(black)
  }

  /**
   * @param {number[]} values
   * @param {{ possible?: number[][] | null, marks?: Map<number, number[]>, last?: number, forward?: boolean, wrong?: Set<number> }} [how]
   */
  draw(values, { possible = null, marks = new Map(), last = -1, forward = false, wrong = new Set() } = {}) {
    const { puzzle } = this
    if (!puzzle) return
    this.cells.forEach((cell, place) => {
      cell.classList.toggle('wrong', wrong.has(place))
      if (!(cell instanceof HTMLButtonElement) || puzzle.places[place]?.kind === 'black') return
      const value = values[place] ?? 0
      const [left, own] = [possible?.[place] ?? [], marks.get(place) ?? []]
      cell.classList.toggle('last', place === last)
      cell.classList.toggle('new', forward && place === last)
      cell.ariaLabel = `${puzzle.name(place)}, ${value ? value : words('quarto.empty')}${puzzle.places[place]?.kind === 'cell' && cell.classList.contains('given') ? `, ${words('sudoku.given')}` : ''}${!value && own.length > 0 ? `, ${words('sudoku.marks', { marks: own.join(' ') })}` : ''}`
      if (value || (!possible && own.length === 0) || puzzle.largest > MOST_MARKED) return cell.replaceChildren(value ? String(value) : '')
      const side = Math.ceil(Math.sqrt(puzzle.largest))
      const small = html('span', { class: 'possible', 'aria-hidden': 'true' })
      small.style.setProperty('--side', String(side))
      for (let mark = 1; mark <= puzzle.largest; mark++) {
        const isOwn = own.includes(mark)
        small.append(html('i', { class: isOwn ? 'own' : null }, isOwn || left.includes(mark) ? String(mark) : ''))
      }
      cell.replaceChildren(small)
    })
    this.look(this.at)
  }

  /** Points out a cell and those that must differ from it. @param {number} place */
  look(place) {
    this.at = place
    const peers = new Set(this.puzzle && place >= 0 ? this.puzzle.peers(place) : [])
    this.cells.forEach((cell, index) => {
      cell.classList.toggle('here', index === place)
      cell.classList.toggle('peer', peers.has(index))
    })
  }

  focus() {
    this.cells[this.at]?.focus()
  }

  /** @param {number} place whether it is pointed at @param {string} name */
  mark(place, name) {
    this.cells.forEach((cell, index) => cell.classList.toggle(name, index === place))
  }
}
