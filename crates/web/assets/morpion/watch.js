// A search that is watched: its best game, its score over time, its playouts.

import * as api from '../core/api.js'
import { drawBars, drawSteps } from '../core/chart.js'
import { button, find, html, part } from '../core/dom.js'
import { complain, does } from '../core/page.js'
import { tab } from '../core/prefer.js'
import { clock, count, roughly, short } from '../core/text.js'
import { distance, known } from './controls.js'
import { read } from './notation.js'
import { variantOf } from './rules.js'

/** @typedef {import('./rules.js').Move} Move */
/** @typedef {import('./rules.js').Variant} Variant */

/** What a page keeps of a run that has ended. @param {api.Account} account @returns {api.Live} */
const ended = account => ({
  ...account,
  moves: account.improvements[account.improvements.length - 1]?.moves ?? [],
  rate: 0,
  histogram: [],
})

export class Watch {
  /**
   * @param {import('../core/events.js').Searches} searches
   * @param {import('./game.js').Game} game
   * @param {(better: boolean) => void} changed called when there is something else to be seen
   */
  constructor(searches, game, changed) {
    this.searches = searches
    this.game = game
    this.changed = changed
    /** What is watched. @type {api.Live | null} */
    this.run = null
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.ranking = undefined
    this.curve = find('curve', SVGSVGElement)
    this.bars = find('bars', SVGSVGElement)
    searches.listen(news => this.#hear(news))
    game.listen(({ opened }) => opened && this.#ranking())
    does(button('pause'), async () => this.run && api.pause(this.run.id))
    does(button('stop'), async () => this.run && api.cancel(this.run.id))
    does(button('resume'), async () => this.run && this.follow(await api.resume(this.run.id)))
    void this.#ranking()
    const watched = tab.get('watching', 0)
    // One that has been deleted meanwhile is no loss.
    if (watched !== 0) this.recall(watched).catch(() => tab.set('watching', 0))
  }

  /** The variant and the moves of the best game; none if there is nothing to be seen yet. @returns {{ variant: Variant, moves: Move[] } | null} */
  get best() {
    const variant = this.run && variantOf(this.run.problem)
    return variant && this.run ? { variant, moves: this.run.moves.map(text => read(variant, text)) } : null
  }

  /** Watches a search. @param {api.Live} run */
  follow(run) {
    this.run = this.searches.going.get(run.id) ?? run
    tab.set('watching', run.id)
    find('another', HTMLDetailsElement).open = false
    this.#show()
    this.changed(true)
  }

  /** Watches a run of which only the number is known. @param {number} id */
  async recall(id) {
    const account = await api.run(id)
    // What goes on may have been heard of meanwhile.
    this.follow(this.searches.going.get(id) ?? ended(account))
  }

  /** @param {import('../core/events.js').News} news */
  #hear(news) {
    const { run, searches } = this
    // What has been found is in the store a moment later; improvements may come many at once.
    if (news.event === 'improvement') this.ranking ??= setTimeout(() => void this.#ranking(), 1500)
    if (news.event === 'state') {
      const mine = searches.going.get(run?.id ?? tab.get('watching', 0))
      const first = mine ?? (run === null ? [...searches.going.values()].find(run => variantOf(run.problem)) : undefined)
      if (first) this.follow(first)
      // It has ended while nobody listened.
      else if (run?.here) this.recall(run.id).catch(complain)
    } else if (run && 'id' in news && news.id === run.id) {
      const { improvements, moves, histogram } = run
      this.run = searches.going.get(run.id) ?? this.run
      if (news.event === 'run' && !news.here) this.run = { ...run, ...news, rate: 0, improvements, moves, histogram }
      if (news.event === 'failed' || news.event === 'trouble') complain(news.error)
      if (news.event === 'improvement') this.changed(true)
      if (news.event === 'run') void this.#ranking()
    }
    this.#show()
  }

  #show() {
    const { run } = this
    part('live').hidden = run === null
    this.#others()
    if (!run) return
    const goes = run.here
    part('live-search').textContent = run.search
    part('live-best').textContent = run.best === null ? '–' : String(run.best)
    part('live-unit').textContent = run.best === null ? 'nothing yet' : 'moves'
    part('live-state').textContent = [
      { running: 'Running', interrupted: 'Paused', done: 'Done' }[run.state],
      clock(run.seconds),
      `${roughly(run.playouts)} playouts`,
      run.from.length > 0 ? `from move ${run.from.length}` : '',
    ].filter(Boolean).join(' · ')
    part('live-rate').textContent = goes ? `${short(run.rate)} a second` : ''
    part('caption').textContent = `Run ${run.id}: ${part('live-state').textContent}`
    button('pause').hidden = button('stop').hidden = !goes
    button('resume').hidden = goes || run.state === 'done'
    button('take').disabled = run.moves.length === 0
    void this.#charts(run)
  }

  /** @param {api.Live} run */
  async #charts(run) {
    const record = await known(run.problem).then(problem => problem.record, () => null)
    if (this.run?.id !== run.id) return
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
        const variant = variantOf(run.problem)?.name ?? run.problem
        const text = `${variant} ${run.search}: ${run.best ?? '–'}`
        return html('button', { type: 'button', class: 'chip', click: () => this.follow(run) }, text)
      }),
    )
  }

  /** The highest score of each search. */
  async #ranking() {
    this.ranking = undefined
    const { problem } = this.game.variant
    const best = await api.best(problem).catch(() => [])
    if (problem !== this.game.variant.problem) return
    const most = best[0]?.best ?? 1
    part('best-list').replaceChildren(
      ...best.slice(0, 8).map(row => {
        const bar = html('span', { class: 'bar' })
        bar.style.inlineSize = `${Math.max(0, (100 * row.best) / most)}%`
        return html('li', {}, html('code', {}, row.search), html('strong', {}, count(row.best)), bar)
      }),
    )
    part('best').hidden = best.length === 0
  }
}
