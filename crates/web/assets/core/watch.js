// A search that is watched: its best game, its score over time, its playouts.

import * as api from './api.js'
import { drawBars, drawSteps } from './chart.js'
import { button, figure, find, html, part } from './dom.js'
import { distance, known } from './known.js'
import { complain, does, say } from './page.js'
import { tab } from './prefer.js'
import { clock, roughly, short, shortName, worth } from './text.js'
import { words } from './words.js'

/**
 * What a page searches: its problem now, the moves on its board, and which problems it can show at all.
 * @typedef {{ problem: () => string, moves: () => string[], owns: (problem: string) => boolean,
 *   listen: (listener: () => void) => void }} Subject
 */

/** Milliseconds after which a hidden page shows news. */
const HIDDEN = 200

/** What a page keeps of a run that has ended. @param {api.Account} account @returns {api.Live} */
const ended = account => ({
  ...account,
  moves: account.improvements[account.improvements.length - 1]?.moves ?? [],
  rate: 0,
  histogram: [],
})

export class Watch {
  /**
   * @param {import('./events.js').Searches} searches
   * @param {Subject} subject
   * @param {(better: boolean) => void} changed called when there is something else to be seen
   */
  constructor(searches, subject, changed) {
    this.searches = searches
    this.subject = subject
    this.changed = changed
    /** What is watched. @type {api.Live | null} */
    this.run = null
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.ranking = undefined
    /** Whether there is something to be shown with the next frame, and whether a game is better. */
    this.waits = false
    this.isBetter = false
    this.curve = find('curve', SVGSVGElement)
    this.bars = find('bars', SVGSVGElement)
    searches.listen(news => this.#hear(news))
    let problem = subject.problem()
    subject.listen(() => {
      if (problem !== subject.problem()) void this.#ranking()
      problem = subject.problem()
    })
    does(button('pause'), async () => this.run && api.pause(this.run.id))
    does(button('stop'), async () => this.run && api.cancel(this.run.id))
    does(button('resume'), async () => this.run && this.follow(await api.resume(this.run.id)))
    void this.#ranking()
    const watched = this.#kept
    // One that has been deleted meanwhile is no loss.
    if (watched !== 0) this.recall(watched).catch(() => this.#keep(0))
  }

  /** The run that this tab watched on this page. */
  get #kept() {
    return tab.get(`watching${location.pathname}`, 0)
  }

  /** @param {number} id */
  #keep(id) {
    tab.set(`watching${location.pathname}`, id)
  }

  /** What is watched, if this page can show it. */
  get shown() {
    return this.run && this.subject.owns(this.run.problem) ? this.run : null
  }

  /** Watches a search. @param {api.Live} run */
  follow(run) {
    // The form makes room for another search; while the same one is heard of again, somebody may be filling it in.
    if (this.run?.id !== run.id) find('another', HTMLDetailsElement).open = false
    this.run = this.searches.going.get(run.id) ?? run
    this.#keep(run.id)
    this.#show()
    this.changed(true)
    // It may have ended before the answer to its beginning was read.
    if (this.run.here && this.searches.results.has(run.id)) void this.recall(run.id).catch(complain)
  }

  /** Watches a run of which only the number is known. @param {number} id */
  async recall(id) {
    const account = await api.run(id)
    // What goes on may have been heard of meanwhile.
    this.follow(this.searches.going.get(id) ?? ended(account))
  }

  /** @param {import('./events.js').News} news */
  #hear(news) {
    const { run, searches } = this
    // What has been found is in the store a moment later; improvements may come many at once.
    if (news.event === 'improvement') this.ranking ??= setTimeout(() => void this.#ranking(), 1500)
    if (news.event === 'connection') {
      if (news.isHere) say(words('core.answers-again'))
    } else if (news.event === 'state') {
      const mine = searches.going.get(run?.id ?? this.#kept)
      const first = mine ?? (run === null ? [...searches.going.values()].find(run => this.subject.owns(run.problem)) : undefined)
      if (first) this.follow(first)
      // It has ended while nobody listened.
      else if (run?.here) this.recall(run.id).catch(complain)
    } else if (run && 'id' in news && news.id === run.id) {
      const { improvements, moves, histogram } = run
      this.run = searches.going.get(run.id) ?? this.run
      if (news.event === 'run' && !news.here) this.run = { ...run, ...news, rate: 0, improvements, moves, histogram }
      if (news.event === 'failed' || news.event === 'trouble') complain(news.error)
      if (news.event === 'run') void this.#ranking()
      this.isBetter ||= news.event === 'improvement'
    }
    this.#soon()
  }

  /** Shows what there is with the next frame: at its beginning a search has many improvements at once. */
  #soon() {
    if (this.waits) return
    this.waits = true
    const show = () => {
      const { isBetter } = this
      this.waits = this.isBetter = false
      if (isBetter) this.changed(true)
      this.#show()
    }
    // A page that nobody sees has no frames.
    if (document.hidden) setTimeout(show, HIDDEN)
    else requestAnimationFrame(show)
  }

  #show() {
    const { run, searches } = this
    part('live').hidden = run === null
    this.#others()
    if (!run) return
    const goes = run.here
    part('live-search').textContent = run.search
    figure(part('live-best'), run.best, run.meaning)
    if (run.best === null) part('live-unit').textContent = words('shared.nothing-yet')
    part('live-state').textContent = [
      this.#state(run),
      clock(run.seconds),
      words('core.playouts', { playouts: roughly(run.playouts) }),
      run.device === 'cuda' ? words('core.on-the-gpu') : '',
      run.from.length > 0 ? words('core.from-move', { move: run.from.length }) : '',
    ].filter(Boolean).join(' · ')
    part('live-rate').textContent = goes && searches.isConnected ? words('core.a-second', { rate: short(run.rate) }) : ''
    const caption = document.getElementById('caption')
    if (caption) caption.textContent = `${words('core.run', { run: String(run.id) })}: ${part('live-state').textContent}`
    button('pause').hidden = button('stop').hidden = !goes
    button('pause').disabled = button('stop').disabled = !searches.isConnected
    button('resume').hidden = goes || run.state === 'done'
    button('take').disabled = run.moves.length === 0
    void this.#charts(run)
  }

  /** What a run does now, as far as this page can know. @param {api.Live} run */
  #state(run) {
    if (run.here && !this.searches.isConnected) return words('core.no-connection')
    return words(/** @type {const} */ ({ running: 'runs.running', interrupted: 'core.paused', done: 'core.done' })[run.state])
  }

  /** @param {api.Live} run */
  async #charts(run) {
    const problem = await known(run.problem).catch(() => null)
    if (this.run?.id !== run.id) return
    const record = problem?.goal === 'max' ? problem.record : null
    if (run.best !== null) part('live-unit').textContent = run.meaning ? '' : problem?.unit ?? words('runs.score')
    const near = record && run.best !== null && record.score - run.best <= 0.15 * record.score ? record.score : null
    drawSteps(this.curve, run.improvements, run.seconds, near)
    if (run.histogram.length > 0 || !run.here) drawBars(this.bars, run.histogram, run.best)
    this.bars.parentElement?.toggleAttribute('hidden', run.histogram.length === 0)
    part('live-distance').textContent = run.best === null ? '' : distance(run.best, record)
  }

  /** The other searches that go on. */
  #others() {
    const others = [...this.searches.going.values()].filter(run => run.id !== this.run?.id)
    const row = part('others')
    row.hidden = others.length === 0
    row.replaceChildren(
      ...others.map(run => {
        const text = `${shortName(run.problem)} ${run.search}: ${worth(run.best, run.meaning)}`
        return html('button', { type: 'button', class: 'chip', click: () => this.follow(run) }, text)
      }),
    )
  }

  /** The best score of each search. */
  async #ranking() {
    this.ranking = undefined
    const problem = this.subject.problem()
    const best = await api.best(problem).catch(() => [])
    if (problem !== this.subject.problem()) return
    const most = Math.max(...best.map(row => Math.abs(row.best)), 1)
    part('best-list').replaceChildren(
      ...best.slice(0, 8).map(row => {
        const bar = html('span', { class: 'bar' })
        bar.style.inlineSize = `${Math.max(0, (100 * row.best) / most)}%`
        return html('li', {}, html('code', {}, row.search), html('strong', {}, worth(row.best, row.meaning)), bar)
      }),
    )
    part('best').hidden = best.length === 0
  }
}
