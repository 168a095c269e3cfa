// The grid as buttons: values, values that are still possible, clues.

import { html, part } from '../core/dom.js'
import { roving } from '../core/grid.js'

/** @typedef {import('./puzzle.js').Puzzle} Puzzle */

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

  /** A new puzzle. @param {Puzzle} puzzle */
  reset(puzzle) {
    this.puzzle = puzzle
    const { width, height, order, isSudoku, places } = puzzle
    this.element.className = isSudoku ? 'sudoku-grid' : 'kakuro-grid'
    this.element.style.setProperty('--columns', String(width))
    this.element.style.setProperty('--rows', String(height))
    this.cells = places.map((place, index) => {
      if (place.kind === 'black') {
        const clue = (/** @type {number | null} */ sum, /** @type {string} */ name) => (sum === null ? null : html('span', { class: name }, String(sum)))
        const words = [place.down === null ? '' : `down ${place.down}`, place.across === null ? '' : `across ${place.across}`].filter(Boolean)
        return html('div', { class: 'black', role: 'img', 'aria-label': words.join(', ') || 'black' }, clue(place.down, 'down'), clue(place.across, 'across'))
      }
      const [row, column] = [Math.floor(index / width), index % width]
      const edges = isSudoku ? `${column % order === 0 ? ' west' : ''}${row % order === 0 ? ' north' : ''}` : ''
      return html('button', { type: 'button', class: `square${place.given ? ' given' : ''}${edges}`, click: () => this.clicked(index) })
    })
    this.element.replaceChildren(...this.cells)
    roving(this.element, this.cells, width, cell => cell instanceof HTMLButtonElement)
    this.at = places.findIndex(place => place.kind === 'cell' && !place.given)
  }

  /**
   * @param {number[]} values
   * @param {{ possible?: number[][] | null, last?: number, forward?: boolean, wrong?: Set<number> }} [how]
   */
  draw(values, { possible = null, last = -1, forward = false, wrong = new Set() } = {}) {
    const { puzzle } = this
    if (!puzzle) return
    this.cells.forEach((cell, place) => {
      if (!(cell instanceof HTMLButtonElement)) return
      const value = values[place] ?? 0
      const left = possible?.[place] ?? []
      cell.classList.toggle('last', place === last)
      cell.classList.toggle('new', forward && place === last)
      cell.classList.toggle('wrong', wrong.has(place))
      cell.ariaLabel = `${puzzle.name(place)}, ${value ? value : 'empty'}${puzzle.places[place]?.kind === 'cell' && cell.classList.contains('given') ? ', given' : ''}`
      if (value || !possible || puzzle.largest > 16) return cell.replaceChildren(value ? String(value) : '')
      const side = Math.ceil(Math.sqrt(puzzle.largest))
      const marks = html('span', { class: 'possible', 'aria-hidden': 'true' })
      marks.style.setProperty('--side', String(side))
      for (let mark = 1; mark <= puzzle.largest; mark++) marks.append(html('i', {}, left.includes(mark) ? String(mark) : ''))
      cell.replaceChildren(marks)
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
