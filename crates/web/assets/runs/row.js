// One run in the list.

import { figure, html } from '../core/dom.js'
import { about, ago, brief, clock, roughly, shortName } from '../core/text.js'
import { words } from '../core/words.js'

/** @typedef {import('../core/api.js').Run} Run */

/** What runs do, in words. */
const STATES = /** @type {const} */ ({ running: 'runs.is-running', interrupted: 'runs.is-interrupted', done: 'runs.is-done' })

/** How far a run is, in the measure of its budget. @param {Run} run */
function progress(run) {
  if (run.runs > 1) return { text: words('runs.runs-of', { done: run.finished, all: run.runs }), share: run.finished / run.runs }
  const { seconds, playouts } = run.budget
  if (seconds !== null) return { text: words('runs.time-of', { done: clock(run.seconds), all: seconds < 3600 ? clock(seconds) : about(seconds) }), share: run.seconds / seconds }
  if (playouts !== null) return { text: words('runs.playouts-of', { done: roughly(run.playouts), all: roughly(playouts) }), share: run.playouts / playouts }
  return { text: words('runs.playouts-in', { playouts: roughly(run.playouts), time: clock(run.seconds) }), share: 0 }
}

export class Row {
  /** @param {number} id */
  constructor(id) {
    this.best = html('strong')
    this.search = html('code')
    this.about = html('small')
    this.state = html('span', { class: 'state' })
    this.progress = html('small')
    this.share = html('span', { class: 'share' })
    this.link = html('a', { href: `#${id}` },
      this.best,
      html('span', { class: 'what' }, this.search, this.about),
      html('span', { class: 'how' }, this.state, this.progress),
      this.share)
    this.element = html('li', {}, this.link)
  }

  /** @param {Run} run @param {boolean} isOpen */
  show(run, isOpen) {
    const { text, share } = progress(run)
    this.element.className = run.state
    this.link.ariaCurrent = isOpen ? 'true' : null
    figure(this.best, run.best, run.meaning, brief)
    this.search.textContent = run.search
    this.about.textContent = words('runs.problem-run-when', { problem: shortName(run.problem), id: String(run.id), when: ago(run.started) })
    this.state.textContent = words(STATES[run.state])
    this.progress.textContent = text
    this.share.style.inlineSize = `${100 * Math.min(1, share)}%`
  }
}
