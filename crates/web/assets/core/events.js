// The searches that go on, as the back end tells of them: one stream for each page.

import { listen } from './backend.js'
import { part } from './dom.js'
import { words } from './words.js'

/** @typedef {import('./api.js').Live} Live */
/**
 * @typedef {{ event: 'state', runs: Live[] }} StateEvent
 * @typedef {Live & { event: 'run' }} RunEvent
 * @typedef {{ event: 'improvement', id: number, score: number, moves: string[], playouts: number, seconds: number,
 *   meaning?: import('./api.js').Meaning }} ImprovementEvent
 * @typedef {{ event: 'progress', id: number, seconds: number, playouts: number, best: number | null, rate: number,
 *   histogram: [number, number][] }} ProgressEvent
 * @typedef {{ event: 'result', id: number, score: number, moves: string[], complete: boolean, stop: string, search: string }} ResultEvent
 * @typedef {{ event: 'failed' | 'trouble', id: number, error: string }} FailedEvent
 * @typedef {{ event: 'deleted', id: number }} DeletedEvent
 * @typedef {{ event: 'connection', isHere: boolean }} ConnectionEvent whether the server answers
 * @typedef {StateEvent | RunEvent | ImprovementEvent | ProgressEvent | ResultEvent | FailedEvent | DeletedEvent | ConnectionEvent} News
 */

/** How long a hidden page keeps listening: a browser has few connections for all its tabs. */
const PATIENCE = 20_000

export class Searches {
  constructor() {
    /** Those that go on. @type {Map<number, Live>} */
    this.going = new Map()
    /** The results of searches that ended lately: some end before the response to their start is read. @type {Map<number, ResultEvent>} */
    this.results = new Map()
    /** @type {((news: News) => void)[]} */
    this.listeners = []
    /** What ends the stream, while there is one. @type {(() => void) | null} */
    this.end = null
    /** Whether the back end answers, as far as this page knows. */
    this.isConnected = true
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.closing = undefined
    document.addEventListener('visibilitychange', () => this.#seen(!document.hidden))
    // A browser keeps pages that were left for its way back, with their connections: a few such pages would take all it allows.
    addEventListener('pagehide', () => this.#close())
    addEventListener('pageshow', event => event.persisted && (this.end ?? this.#open()))
    this.#open()
  }

  /** Calls a function with all news from now on. @param {(news: News) => void} listener */
  listen(listener) {
    this.listeners.push(listener)
  }

  /** @param {boolean} visible */
  #seen(visible) {
    clearTimeout(this.closing)
    if (visible && !this.end) this.#open()
    if (!visible) this.closing = setTimeout(() => this.#close(), PATIENCE)
  }

  #open() {
    this.end = listen(news => this.hear(news))
  }

  /** Says that the server is gone, or there again. @param {boolean} isHere */
  #connected(isHere) {
    this.isConnected = isHere
    document.body.classList.toggle('disconnected', !isHere)
    part('gone').textContent = isHere ? '' : words('core.gone')
  }

  #close() {
    this.end?.()
    this.end = null
  }

  /** @param {News} news */
  hear(news) {
    if (news.event === 'connection') {
      if (news.isHere === this.isConnected) return
      this.#connected(news.isHere)
    } else if (news.event === 'state') this.going = new Map(news.runs.map(run => [run.id, run]))
    else if (news.event === 'run') news.here ? this.going.set(news.id, news) : this.going.delete(news.id)
    else if (news.event === 'result') this.results.set(news.id, news)
    else if (news.event === 'improvement') this.#improve(news)
    else if (news.event === 'progress') Object.assign(this.going.get(news.id) ?? {}, news, { event: 'run' })
    for (const listener of this.listeners) listener(news)
  }

  /** @param {ImprovementEvent} news */
  #improve({ id, score, moves, playouts, seconds, meaning }) {
    const run = this.going.get(id)
    if (!run) return
    Object.assign(run, { best: score, moves, meaning })
    run.improvements.push({ score, moves, playouts, seconds, ...(meaning && { meaning }) })
  }
}
