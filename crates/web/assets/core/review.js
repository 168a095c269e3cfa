// A game looked at again, move by move: what its positions were worth, in a chart, and the moves at which that changed.

import { button, find, html, part, svg } from './dom.js'
import { complain, does } from './page.js'
import { words } from './words.js'

/**
 * A position of the game: how many moves were made, what it was worth, and whether that is exact.
 * @typedef {{ at: number, value: number, exact: boolean }} Value
 * A move that changed it: the moves made before it, and what is to be said.
 * @typedef {{ at: number, text: string }} Turn
 *
 * The game, and how it is judged. `judge` says what a position is worth, given what is known of those after it; it is asked from the last
 * position to the first. `turns` says which moves mattered, so far as is known.
 * @typedef {{ moves: () => string[], at: () => number, go: (at: number) => void, isReady: () => boolean, caption: string, label: string,
 *   range: (values: Value[]) => [number, number], tick: (value: number) => string,
 *   judge: (moves: string[], at: number, later: Value | undefined, signal: AbortSignal) => Promise<Value>,
 *   turns: (values: Value[]) => Turn[], listen: (listener: () => void) => void }} Owner
 */

const [LEFT, RIGHT, TOP, BOTTOM, HEIGHT] = [38, 8, 8, 20, 150]

export class Review {
  /** @param {Owner} owner */
  constructor(owner) {
    this.owner = owner
    /** @type {Value[]} */
    this.values = []
    /** The game that is reviewed. */
    this.game = ''
    /** @type {AbortController | null} */
    this.going = null
    part('review-caption').textContent = owner.caption
    does(button('review-start'), () => this.start())
    button('review-stop').onclick = () => this.#stop()
    owner.listen(() => this.#changed())
    this.#changed()
  }

  #changed() {
    const moves = this.owner.moves()
    part('review').hidden = !this.owner.isReady() && this.values.length === 0
    if (moves.join() !== this.game && this.game !== '') this.#forget()
    if (this.values.length > 0) this.#draw()
  }

  #forget() {
    this.#stop()
    this.values = []
    this.game = ''
    part('review-about').textContent = ''
    part('review-figure').hidden = true
    part('review-list').replaceChildren()
    part('review').hidden = !this.owner.isReady()
  }

  #stop() {
    this.going?.abort()
    this.going = null
    button('review-stop').hidden = true
  }

  /** Judges the positions of the game from the last to the first. */
  async start() {
    this.#forget()
    const moves = this.owner.moves()
    this.game = moves.join()
    const going = new AbortController()
    this.going = going
    button('review-stop').hidden = false
    try {
      for (let at = moves.length; at >= 0; at--) {
        part('review-about').textContent = words('core.looking-at-move', { at, all: moves.length })
        const value = await this.owner.judge(moves, at, this.values[0], going.signal)
        if (going.signal.aborted) return
        this.values = [value, ...this.values]
        this.#draw()
      }
      part('review-about').textContent = this.owner.turns(this.values).length === 0 ? words('core.no-move-made-it-worse') : ''
    } catch (error) {
      if (!(error instanceof DOMException)) complain(error)
      part('review-about').textContent = ''
    } finally {
      if (this.going === going) this.#stop()
    }
  }

  #draw() {
    const { values, owner } = this
    part('review-figure').hidden = values.length < 2
    const chart = find('review-chart', SVGSVGElement)
    const width = chart.clientWidth || 320
    const last = owner.moves().length
    const [low, high] = owner.range(values)
    const x = (/** @type {number} */ at) => LEFT + (at / Math.max(last, 1)) * (width - LEFT - RIGHT)
    const y = (/** @type {number} */ value) => HEIGHT - BOTTOM - ((value - low) / (high - low || 1)) * (HEIGHT - TOP - BOTTOM)
    chart.setAttribute('viewBox', `0 0 ${width} ${HEIGHT}`)
    const turns = owner.turns(values)
    const ticks = [...new Set([low, (low + high) / 2, high])]
    chart.replaceChildren(
      ...ticks.flatMap(tick => [
        svg('line', { class: 'grid', x1: LEFT, x2: width - RIGHT, y1: y(tick), y2: y(tick) }),
        svg('text', { class: 'tick', x: LEFT - 6, y: y(tick) + 3.5, 'text-anchor': 'end' }, owner.tick(tick)),
      ]),
      svg('line', { class: 'here', x1: x(owner.at()), x2: x(owner.at()), y1: TOP, y2: HEIGHT - BOTTOM }),
      svg('polyline', { class: 'curve', points: values.map(({ at, value }) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(' ') }),
      ...values.map(({ at, value, exact }) => svg('circle', { class: exact ? 'exact' : 'guess', cx: x(at), cy: y(value), r: 2.6 })),
      ...turns.map(({ at }) => svg('circle', { class: 'turn', cx: x(at + 1), cy: y(values.find(value => value.at === at + 1)?.value ?? low), r: 5 })),
      ...[0, last].map(at => svg('text', { class: 'tick', x: x(at), y: HEIGHT - 5, 'text-anchor': 'middle' }, String(at))))
    chart.ariaLabel = `${owner.label}: ${turns.length === 0 ? words('core.no-turning-point') : turns.map(({ text }) => text).join(' ')}`
    // A click goes to where it points; the list below does the same for the keyboard.
    chart.onclick = event => {
      const box = chart.getBoundingClientRect()
      const share = ((event.clientX - box.left) * (width / box.width) - LEFT) / (width - LEFT - RIGHT)
      owner.go(Math.max(0, Math.min(last, Math.round(share * last))))
    }
    part('review-list').replaceChildren(
      ...turns.map(({ at, text }) =>
        html('li', {}, html('span', {}, text), html('button', { type: 'button', class: 'link', click: () => owner.go(at) }, words('core.go-back-to-there')))))
  }
}
