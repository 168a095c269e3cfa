// The searches that go on, as the server tells of them: one stream for each page.

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
 * @typedef {StateEvent | RunEvent | ImprovementEvent | ProgressEvent | ResultEvent | FailedEvent | DeletedEvent} News
 */

/** How long a page that nobody sees goes on listening: a browser has few connections for all its tabs. */
const PATIENCE = 20_000

export class Searches {
  constructor() {
    /** Those that go on. @type {Map<number, Live>} */
    this.going = new Map()
    /** What those came to that have ended lately: some end before the answer to their beginning is read. @type {Map<number, ResultEvent>} */
    this.results = new Map()
    /** @type {((news: News) => void)[]} */
    this.listeners = []
    /** @type {EventSource | null} */
    this.source = null
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.closing = undefined
    document.addEventListener('visibilitychange', () => this.#seen(!document.hidden))
    this.#open()
  }

  /** Calls a function with all news from now on. @param {(news: News) => void} listener */
  listen(listener) {
    this.listeners.push(listener)
  }

  /** @param {boolean} visible */
  #seen(visible) {
    clearTimeout(this.closing)
    if (visible && !this.source) this.#open()
    if (!visible) this.closing = setTimeout(() => this.#close(), PATIENCE)
  }

  #open() {
    this.source = new EventSource('/api/events')
    this.source.onmessage = message => this.hear(JSON.parse(message.data))
    this.source.onerror = () => {
      // The browser tries again by itself, unless the server has refused.
      if (this.source?.readyState === EventSource.CLOSED) {
        this.#close()
        setTimeout(() => this.source ?? this.#open(), 3000)
      }
    }
  }

  #close() {
    this.source?.close()
    this.source = null
  }

  /** @param {News} news */
  hear(news) {
    if (news.event === 'state') this.going = new Map(news.runs.map(run => [run.id, run]))
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
    run.improvements.push({ score, playouts, seconds, ...(meaning && { meaning }) })
  }
}
