// The board as a drawing: cells that fall, and the group that is pointed at.

import { svg } from '../core/dom.js'

/** @typedef {import('./rules.js').Place} Place */

/** Marks of the colours, for those who see few of them: a shape each, then the same as outlines. */
const SHAPES = [
  'M.5 .3a.2 .2 0 1 0 .001 0z',
  'M.33 .33h.34v.34h-.34z',
  'M.5 .29l.23 .4h-.46z',
  'M.5 .26l.24 .24l-.24 .24l-.24 -.24z',
  'M.44 .28h.12v.16h.16v.12h-.16v.16h-.12v-.16h-.16v-.12h.16z',
  'M.28 .42h.44v.16h-.44z',
  'M.42 .28h.16v.44h-.16z',
  'M.5 .71l-.23 -.4h.46z',
]

export class Board {
  /** @param {SVGSVGElement} element */
  constructor(element) {
    this.element = element
    this.cells = svg('g', { class: 'cells' })
    this.tag = svg('text', { class: 'tag', 'text-anchor': 'middle' })
    element.append(this.cells, this.tag)
    /** The drawings of the cells by their numbers. @type {Map<number, SVGGElement>} */
    this.drawn = new Map()
    this.width = 1
    this.height = 1
  }

  /** A new board. @param {number[][]} columns */
  reset(columns) {
    this.width = columns.length
    this.height = Math.max(1, ...columns.map(column => column.length))
    this.element.setAttribute('viewBox', `-0.1 -0.1 ${this.width + 0.2} ${this.height + 0.2}`)
    let id = 0
    this.drawn = new Map(columns.flatMap(column => column.map(colour => [id++, this.#cell(colour)])))
    this.cells.replaceChildren(...this.drawn.values())
  }

  /** @param {number} colour */
  #cell(colour) {
    return svg('g', { class: `cell colour-${colour}` },
      svg('rect', { x: 0.03, y: 0.03, width: 0.94, height: 0.94, rx: 0.16 }),
      svg('path', { class: colour < 8 ? 'shape' : 'shape outline', d: SHAPES[colour % 8] ?? '' }),
      svg('text', { class: 'number', x: 0.5, y: 0.66, 'text-anchor': 'middle' }))
  }

  /** @param {Place} place */
  #corner({ column, row }) {
    return `translate(${column}px, ${this.height - 1 - row}px)`
  }

  /**
   * A position; or, with `taken`, the start, every cell with the number of the move that takes it.
   * @param {import('./rules.js').Position} position @param {Map<number, number>} [taken]
   */
  draw(position, taken) {
    this.element.classList.toggle('numbered', taken !== undefined)
    if (taken) for (const [id, drawn] of this.drawn) drawn.lastElementChild?.replaceChildren(String(taken.get(id) ?? ''))
    const left = new Set()
    position.columns.forEach((cells, column) =>
      cells.forEach(({ id }, row) => {
        left.add(id)
        const drawn = this.drawn.get(id)
        if (drawn) drawn.style.transform = this.#corner({ column, row })
      }))
    for (const [id, drawn] of this.drawn) drawn.classList.toggle('gone', !left.has(id))
  }

  /** Points a group out, or none. @param {import('./rules.js').Position} position @param {Place[]} group @param {string} [name] @param {string} [tag] */
  point(position, group, name = 'in', tag = '') {
    const numbers = new Set(group.map(place => position.at(place)?.id))
    for (const [id, drawn] of this.drawn) drawn.classList.toggle(name, numbers.has(id))
    this.element.classList.toggle('pointing', name === 'in' && group.length > 0)
    if (name !== 'in') return
    this.tag.textContent = tag
    const top = group.reduce((best, place) => (place.row > best.row ? place : best), group[0] ?? { column: 0, row: 0 })
    const x = Math.max(0.6, Math.min(this.width - 0.6, top.column + 0.5))
    this.tag.setAttribute('x', String(x))
    this.tag.setAttribute('y', String(Math.max(0.55, this.height - 1 - top.row - 0.12)))
  }

  /** The place under a point of the screen. @param {number} x @param {number} y @returns {Place} */
  place(x, y) {
    const matrix = this.element.getScreenCTM()
    const at = new DOMPoint(x, y).matrixTransform(matrix?.inverse())
    return { column: Math.floor(at.x), row: this.height - 1 - Math.floor(at.y) }
  }
}
