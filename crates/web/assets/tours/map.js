// A tour on a map: places, the way between them, windows that were missed. One unit of the drawing is a pixel, so that what is written
// can be read on every screen.

import { part, svg } from '../core/dom.js'

/**
 * @typedef {{ name: string, earliest: number, latest: number, closes: boolean, x: number, y: number }} Place
 * @typedef {{ x: number, y: number }} Point
 */

/** Pixels around the places. */
const MARGIN = 30

/** The height of a name in pixels, and about the width of a letter. */
const [LINE, LETTER] = [14, 7]

/** With more places than this no name is tried. */
const NAMES = 150

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }

/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */

/** @param {Box} one @param {Box} other */
const overlap = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom

/** The height of what people choose by whether they see their tour or the search's. */
const covered = () => (part('whose').hidden ? 0 : 40)

export class TourMap {
  /**
   * @param {SVGSVGElement} element
   * @param {{ chosen: (place: number) => void, looked: (place: number | null) => void }} events what a person does
   */
  constructor(element, events) {
    this.element = element
    this.events = events
    this.way = svg('polyline', { class: 'way' })
    this.ghost = svg('polyline', { class: 'way ghost' })
    this.stops = svg('g', { class: 'stops' })
    element.append(this.ghost, this.way, this.stops)
    /** @type {Place[]} */
    this.places = []
    /** Where they are, in pixels. @type {Point[]} */
    this.points = []
    /** @type {SVGGElement[]} */
    this.drawn = []
    /** The tour, without the depot. @type {number[]} */
    this.order = []
    /** Pixels at the top that something covers. */
    this.inset = 0
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.fading = undefined
    new ResizeObserver(() => this.#fit()).observe(element)
    element.addEventListener('keydown', event => this.#key(event))
    element.addEventListener('focusin', event => this.#reach(this.drawn.findIndex(group => group === event.target)))
  }

  /** New places. @param {Place[]} places */
  reset(places) {
    this.places = places
    this.order = []
    this.drawn = places.map((_, index) => {
      const looked = (/** @type {number | null} */ place) => () => this.events.looked(place)
      const group = svg('g', {
        class: index === 0 ? 'stop depot' : 'stop', role: 'button', tabindex: -1,
        click: () => this.events.chosen(index), pointerenter: looked(index), focus: looked(index), pointerleave: looked(null), blur: looked(null),
      })
      group.append(index === 0 ? svg('rect') : svg('circle'), svg('text', { class: 'order', 'text-anchor': 'middle' }), svg('text', { class: 'name' }))
      return group
    })
    this.stops.replaceChildren(...this.drawn)
    this.ghost.setAttribute('points', '')
    this.#reach(Math.min(1, places.length - 1))
    this.#fit()
  }

  /** What assistive software calls a place. @param {number} place @param {string} words */
  name(place, words) {
    const group = this.drawn[place]
    if (group) group.ariaLabel = words
  }

  /** Lets Tab go to one place; arrows go on from there. @param {number} place */
  #reach(place) {
    if (place < 0) return
    this.drawn.forEach((group, index) => group.setAttribute('tabindex', index === place ? '0' : '-1'))
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const from = this.drawn.findIndex(group => group === document.activeElement)
    if (from < 0 || event.ctrlKey || event.metaKey || event.altKey) return
    const arrow = ARROWS[event.key]
    if (arrow) this.drawn[this.#next(from, ...arrow)]?.focus()
    else if (event.key === 'Enter' || event.key === ' ') this.events.chosen(from)
    else return
    event.preventDefault()
  }

  /** The next place in a direction. @param {number} from @param {number} dx @param {number} dy */
  #next(from, dx, dy) {
    const here = this.points[from] ?? { x: 0, y: 0 }
    const cost = (/** @type {Point} */ { x, y }) => {
      const [ahead, aside] = [(x - here.x) * dx + (y - here.y) * dy, Math.abs((x - here.x) * dy - (y - here.y) * dx)]
      return ahead > 0 ? ahead + 2.5 * aside : Infinity
    }
    const costs = this.points.map(cost)
    const least = Math.min(...costs)
    return least === Infinity ? from : costs.indexOf(least)
  }

  /** The radius of a place, in pixels. */
  get #radius() {
    const area = (this.element.clientWidth || 800) * (this.element.clientHeight || 600)
    return Math.max(4, Math.min(12, Math.round(Math.sqrt(area / Math.max(this.places.length, 1)) / 9)))
  }

  /** Puts everything where the size of the map has it. */
  #fit() {
    const { places, element } = this
    const [width, height] = [element.clientWidth || 800, element.clientHeight || 600]
    this.inset = covered()
    element.setAttribute('viewBox', `0 0 ${width} ${height}`)
    if (places.length === 0) return
    const [xs, ys] = [places.map(({ x }) => x), places.map(({ y }) => -y)]
    const [left, top] = [Math.min(...xs), Math.min(...ys)]
    const [across, down] = [Math.max(...xs) - left, Math.max(...ys) - top]
    const scale = Math.min((width - 2 * MARGIN) / (across || 1e-9), (height - this.inset - 2 * MARGIN) / (down || 1e-9))
    const [x0, y0] = [(width - across * scale) / 2, (height + this.inset - down * scale) / 2]
    this.points = places.map((_, index) => ({ x: x0 + ((xs[index] ?? 0) - left) * scale, y: y0 + ((ys[index] ?? 0) - top) * scale }))
    const radius = this.#radius
    this.drawn.forEach((group, index) => {
      const { x, y } = this.points[index] ?? { x: 0, y: 0 }
      group.setAttribute('transform', `translate(${x.toFixed(1)} ${y.toFixed(1)})`)
      group.querySelector('circle')?.setAttribute('r', String(radius))
      for (const [name, value] of Object.entries({ x: -radius, y: -radius, width: 2 * radius, height: 2 * radius, rx: 3 })) {
        group.querySelector('rect')?.setAttribute(name, String(value))
      }
      group.querySelector('.order')?.setAttribute('y', '4.5')
    })
    this.#names(width, height)
    this.#line()
    this.ghost.setAttribute('points', '')
  }

  /** Writes the names for which there is room. @param {number} width @param {number} height */
  #names(width, height) {
    const radius = this.#radius
    /** @type {Box[]} */
    const taken = this.points.map(({ x, y }) => ({ left: x - radius, right: x + radius, top: y - radius, bottom: y + radius }))
    this.drawn.forEach((group, index) => {
      const label = group.querySelector('.name')
      if (!label) return
      const name = this.places[index]?.name ?? ''
      const { x, y } = this.points[index] ?? { x: 0, y: 0 }
      const [long, gap] = [name.length * LETTER, radius + 3]
      /** Above, below, right, left of the place. @type {[string, number, number][]} */
      const choices = [['middle', 0, -gap - 2], ['middle', 0, gap + LINE - 3], ['start', gap + 1, 5], ['end', -gap - 1, 5]]
      const found = this.places.length > NAMES ? undefined : choices.find(([anchor, dx, dy]) => {
        const left = x + dx - (anchor === 'middle' ? long / 2 : anchor === 'end' ? long : 0)
        const box = { left, right: left + long, top: y + dy - LINE + 3, bottom: y + dy + 3 }
        const isFree = box.left > 0 && box.right < width && box.top > 0 && box.bottom < height && !taken.some(other => overlap(box, other))
        if (isFree) taken.push(box)
        return isFree
      })
      label.textContent = found ? name : ''
      if (found) for (const [key, value] of Object.entries({ 'text-anchor': found[0], x: found[1], y: found[2] })) label.setAttribute(key, String(value))
    })
  }

  /** The way through the places of the tour. */
  #line() {
    const isWhole = this.order.length + 1 === this.points.length
    const stops = [0, ...this.order, ...(isWhole ? [0] : [])].map(place => this.points[place] ?? { x: 0, y: 0 })
    const text = stops.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')
    const before = this.way.getAttribute('points') ?? ''
    this.way.setAttribute('points', text)
    return before === text ? '' : before
  }

  /** @param {number[]} order the places in the order of the visits, without the depot @param {Set<number>} late */
  draw(order, late) {
    this.order = order
    if (this.inset !== covered()) this.#fit()
    const before = this.#line()
    // The way before is seen for a moment, so that the eye finds what has changed.
    if (before) {
      this.ghost.setAttribute('points', before)
      clearTimeout(this.fading)
      this.fading = setTimeout(() => this.ghost.setAttribute('points', ''), 1500)
    }
    const hasRoom = this.#radius > 6
    this.drawn.forEach((group, place) => {
      const index = order.indexOf(place)
      group.classList.toggle('late', late.has(place))
      group.classList.toggle('visited', place === 0 || index >= 0)
      const label = group.querySelector('.order')
      if (label) label.textContent = place !== 0 && index >= 0 && hasRoom ? String(index + 1) : ''
    })
  }
}
