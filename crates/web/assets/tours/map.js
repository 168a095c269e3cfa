// A tour on a map: places, the way between them, windows that were missed.

import { svg } from '../core/dom.js'

/** @typedef {{ name: string, earliest: number, latest: number, x?: number, y?: number }} Place */

/** The longer side of the map, in units of the drawing. */
const SIDE = 1000
const MARGIN = 46

/** With more places than this there is no room for their names. */
const NAMES = 60

export class TourMap {
  /** @param {SVGSVGElement} element @param {(place: number) => void} clicked */
  constructor(element, clicked) {
    this.element = element
    this.clicked = clicked
    this.way = svg('polyline', { class: 'way' })
    this.ghost = svg('polyline', { class: 'way ghost' })
    this.stops = svg('g', { class: 'stops' })
    element.append(this.ghost, this.way, this.stops)
    /** @type {{ x: number, y: number }[]} */
    this.points = []
    /** @type {SVGGElement[]} */
    this.drawn = []
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.fading = undefined
  }

  /** New places. @param {Place[]} places */
  reset(places) {
    const isMap = places.every(place => place.x !== undefined && place.y !== undefined)
    this.element.classList.toggle('no-map', !isMap)
    // Without coordinates places stand in a circle: what follows what can still be seen.
    const at = places.map(({ x = 0, y = 0 }, index) => {
      const angle = (2 * Math.PI * index) / places.length - Math.PI / 2
      return isMap ? { x, y: -y } : { x: Math.cos(angle), y: Math.sin(angle) }
    })
    const [xs, ys] = [at.map(({ x }) => x), at.map(({ y }) => y)]
    const [left, top] = [Math.min(...xs), Math.min(...ys)]
    const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - top]
    const scale = (SIDE - 2 * MARGIN) / Math.max(width, height, 1e-9)
    this.points = at.map(({ x, y }) => ({ x: MARGIN + (x - left) * scale, y: MARGIN + (y - top) * scale }))
    this.element.setAttribute('viewBox', `0 0 ${Math.max(width * scale, 200) + 2 * MARGIN} ${Math.max(height * scale, 200) + 2 * MARGIN}`)
    this.drawn = places.map((place, index) => {
      const { x, y } = this.points[index] ?? { x: 0, y: 0 }
      const group = svg('g', { class: index === 0 ? 'stop depot' : 'stop', transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`, click: () => this.clicked(index) },
        index === 0 ? svg('rect', { x: -13, y: -13, width: 26, height: 26, rx: 4 }) : svg('circle', { r: 13 }),
        svg('text', { class: 'order', y: 5, 'text-anchor': 'middle' }),
        ...(places.length <= NAMES ? [svg('text', { class: 'name', y: -19, 'text-anchor': 'middle' }, place.name)] : []))
      group.append(svg('title', {}, `${place.name}: ${place.earliest} to ${place.latest}`))
      return group
    })
    this.stops.replaceChildren(...this.drawn)
    this.ghost.setAttribute('points', '')
  }

  /** @param {number[]} order the places in the order of the visits, without the depot @param {Set<number>} late */
  draw(order, late) {
    const isWhole = order.length + 1 === this.points.length
    const places = [0, ...order, ...(isWhole ? [0] : [])]
    const points = places.map(place => this.points[place] ?? { x: 0, y: 0 })
    const text = points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')
    const before = this.way.getAttribute('points') ?? ''
    // The way before is seen for a moment, so that the eye finds what has changed.
    if (before !== text) {
      this.ghost.setAttribute('points', before)
      clearTimeout(this.fading)
      this.fading = setTimeout(() => this.ghost.setAttribute('points', ''), 1500)
    }
    this.way.setAttribute('points', text)
    this.drawn.forEach((group, place) => {
      const index = order.indexOf(place)
      group.classList.toggle('late', late.has(place))
      group.classList.toggle('visited', place === 0 || index >= 0)
      const label = group.querySelector('.order')
      if (label) label.textContent = place !== 0 && index >= 0 ? String(index + 1) : ''
    })
  }
}
