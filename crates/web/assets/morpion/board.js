// The board as a drawing: squared paper, the cross, a line and a dot for every move.

import { svg } from '../core/dom.js'
import { along, cross, dot, key, same } from './rules.js'
import { CELL, View } from './view.js'

/** @typedef {import('./rules.js').Move} Move */
/** @typedef {import('./rules.js').Variant} Variant */

/** The colours of age, dark to light, as in exported pictures. */
const RAMP = ['#0d0887', '#46039f', '#7201a8', '#9c179e', '#bd3786', '#d8576b', '#ed7953', '#fb9f3a'].map(code =>
  [1, 3, 5].map(at => parseInt(code.slice(at, at + 2), 16)),
)

/** @param {number} index @param {number} count @param {boolean} dark */
function colourOfAge(index, count, dark) {
  const place = (index / Math.max(count - 1, 1)) * (RAMP.length - 1)
  const [from, to] = [RAMP[Math.floor(place)], RAMP[Math.min(Math.floor(place) + 1, RAMP.length - 1)]]
  // On dark paper the oldest would sink into it.
  const lift = dark ? 45 : 0
  const mixed = (from ?? []).map((part, at) => Math.min(255, Math.round(part + ((to?.[at] ?? part) - part) * (place % 1)) + lift))
  return { fill: `rgb(${mixed.join(' ')})`, isLight: 0.299 * (mixed[0] ?? 0) + 0.587 * (mixed[1] ?? 0) + 0.114 * (mixed[2] ?? 0) > 125 }
}

/** The ends of a line, in the units of the drawing. @param {Move} move @param {number} length */
function ends(move, length) {
  const end = along(move, length - 1)
  return { x1: move.x * CELL, y1: move.y * CELL, x2: end.x * CELL, y2: end.y * CELL }
}

/**
 * @typedef {{ variant: Variant, moves: Move[], numbers: boolean, ages: boolean, dark: boolean, forward?: boolean,
 *   fresh?: (move: Move) => boolean }} Drawing
 */

export class Board {
  /** @param {SVGSVGElement} element */
  constructor(element) {
    this.element = element
    this.view = new View(element)
    const pattern = svg('pattern', { id: 'paper', width: CELL, height: CELL, patternUnits: 'userSpaceOnUse' })
    pattern.append(svg('path', { class: 'lattice', d: `M0 0H${CELL}M0 0V${CELL}` }))
    this.paper = svg('rect', { fill: 'url(#paper)' })
    this.lines = svg('g', { class: 'lines' })
    this.dots = svg('g', { class: 'dots' })
    /** Where a dot could go. */
    this.places = svg('g', { class: 'places' })
    /** The lines through the dot that is being looked at. */
    this.ghosts = svg('g', { class: 'ghosts' })
    /** What a hint points at. */
    this.hints = svg('g', { class: 'hint' })
    /** What the advised move makes possible. */
    this.opened = svg('g', { class: 'opened' })
    element.append(svg('defs', {}, pattern), this.paper, this.lines, this.places, this.opened, this.hints, this.ghosts, this.dots)
    this.view.listeners.push(() => this.#coverPaper())
  }

  #coverPaper() {
    const [x = 0, y = 0, width = 0, height = 0] = (this.element.getAttribute('viewBox') ?? '').split(' ').map(Number)
    for (const [name, value] of Object.entries({ x, y, width, height })) this.paper.setAttribute(name, String(value))
  }

  /** Draws a game. @param {Drawing} drawing */
  draw({ variant, moves, numbers, ages, dark, forward = false, fresh }) {
    this.element.classList.toggle('ages', ages)
    const last = moves.length - 1
    /** @type {SVGElement[]} */
    const lines = []
    /** @type {SVGElement[]} */
    const dots = cross(variant).map(({ x, y }) => svg('circle', { class: 'start', cx: x * CELL, cy: y * CELL, r: 8 }))
    moves.forEach((move, index) => {
      const age = ages ? colourOfAge(index, moves.length, dark) : null
      const isNew = (forward && index === last) || fresh?.(move)
      const name = `${index === last ? 'last' : ''} ${isNew ? 'new' : ''}`.trim()
      const line = svg('line', { ...ends(move, variant.length), class: name || null, pathLength: 1 })
      lines.push(line)
      const { x, y } = dot(move)
      const group = svg('g', { class: name || null, transform: `translate(${x * CELL} ${y * CELL})` })
      const circle = svg('circle', { r: numbers ? 14 : 8 })
      group.append(circle)
      if (age) line.style.stroke = circle.style.fill = circle.style.stroke = age.fill
      if (numbers) {
        const label = svg('text', { y: 5.2, class: index >= 99 ? 'long' : null }, String(index + 1))
        if (age) label.classList.add(age.isLight ? 'on-light' : 'on-dark')
        group.append(label)
      }
      dots.push(group)
    })
    this.lines.replaceChildren(...lines)
    this.dots.replaceChildren(...dots)
    this.#include(variant, moves)
  }

  /** Lets the view have the whole game in it. @param {Variant} variant @param {Move[]} moves */
  #include(variant, moves) {
    const cells = [...cross(variant), ...moves.flatMap(move => [along(move, 0), along(move, variant.length - 1)])]
    const [xs, ys] = [cells.map(cell => cell.x), cells.map(cell => cell.y)]
    this.view.include({ left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) })
  }

  /** Marks where a dot could go. @param {Move[]} moves */
  showPlaces(moves) {
    const places = new Map(moves.map(move => [key(dot(move).x, dot(move).y), dot(move)]))
    const marks = [...places.values()].map(({ x, y }) => svg('circle', { cx: x * CELL, cy: y * CELL, r: 6 }))
    this.places.replaceChildren(...marks)
  }

  /**
   * Shows the lines through a dot, one of them chosen.
   * @param {Move[]} moves @param {Move | null} chosen @param {number} length
   */
  showGhosts(moves, chosen, length) {
    const marks = moves.map(move =>
      svg('line', { ...ends(move, length), class: chosen && same(move, chosen) ? 'chosen' : null }),
    )
    // The chosen one lies on top.
    marks.sort((one, other) => Number(one.classList.contains('chosen')) - Number(other.classList.contains('chosen')))
    const at = moves[0] ? dot(moves[0]) : null
    const ring = at ? [svg('circle', { cx: at.x * CELL, cy: at.y * CELL, r: 9 })] : []
    this.ghosts.replaceChildren(...marks, ...ring)
  }

  /** Points at a move and the moves that it opens, or at nothing. @param {Move | null} move @param {number} length @param {Move[]} [opens] */
  showHint(move, length, opens = []) {
    this.opened.replaceChildren(...opens.map(other => svg('line', ends(other, length))))
    if (!move) return this.hints.replaceChildren()
    const { x, y } = dot(move)
    this.hints.replaceChildren(svg('line', ends(move, length)), svg('circle', { cx: x * CELL, cy: y * CELL, r: 10 }))
  }
}
