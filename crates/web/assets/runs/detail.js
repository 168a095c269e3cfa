// One run: its chart, its improvements, what can be done with it.

import * as api from '../core/api.js'
import { pageOf } from '../core/address.js'
import { bars, drawBars, drawSteps } from '../core/chart.js'
import { button, figure, find, html, part } from '../core/dom.js'
import { complain, does } from '../core/page.js'
import { about, ago, clock, count, roughly, shortName, worth } from '../core/text.js'

export class Detail {
  /** @param {import('../core/events.js').Searches} searches */
  constructor(searches) {
    this.searches = searches
    this.id = 0
    /** @type {api.Account | null} */
    this.account = null
    /** @type {api.Problem | null} */
    this.problem = null
    does(button('run-pause'), () => api.pause(this.id))
    does(button('run-stop'), () => api.cancel(this.id))
    does(button('run-resume'), () => this.#resume())
    does(button('run-delete'), () => this.#delete())
    searches.listen(news => 'id' in news && news.id === this.id && this.#hear(news))
  }

  /** Shows a run; 0 shows none. @param {number} id */
  async open(id) {
    this.id = id
    this.account = null
    part('detail').hidden = true
    if (id === 0) return
    try {
      const account = await api.run(id)
      const problem = await api.problem(account.problem).catch(() => null)
      if (this.id !== id) return
      Object.assign(this, { account, problem })
      this.#show()
    } catch (error) {
      this.id = 0
      complain(error)
    }
  }

  /** @param {import('../core/events.js').News} news */
  #hear(news) {
    const live = this.searches.going.get(this.id)
    if (news.event === 'deleted') location.hash = ''
    else if (news.event === 'run' && !news.here) void this.open(this.id)
    else if (live && this.account) {
      Object.assign(this.account, live, { results: this.account.results })
      this.#show()
    }
  }

  async #resume() {
    const { account } = this
    const seconds = account?.state === 'done' && account.budget.seconds ? 2 * account.budget.seconds : undefined
    await api.resume(this.id, { seconds })
    await this.open(this.id)
  }

  async #delete() {
    if (!confirm(`Delete run ${this.id}? Its best game stays in the hall of fame.`)) return
    await api.remove(this.id)
    location.hash = ''
  }

  #show() {
    const { account: run, problem } = this
    if (!run) return
    part('detail').hidden = false
    const isOver = run.state === 'done'
    const stop = run.results[0]?.stop
    part('run-name').textContent = `Run ${run.id} · ${shortName(run.problem)} · seed ${run.seed}`
    part('run-search').textContent = run.search
    figure(part('run-best'), run.best, run.meaning)
    part('run-unit').textContent = run.meaning ? '' : problem?.unit ?? 'score'
    part('run-state').textContent = `${this.#state(run, stop)}: ${roughly(run.playouts)} playouts in ${clock(run.seconds)}`
    button('run-pause').hidden = button('run-stop').hidden = !run.here
    const canDouble = isOver && stop === 'time'
    button('run-resume').hidden = run.here || run.runs > 1 || !(run.state === 'interrupted' || canDouble || (isOver && !stop))
    button('run-resume').textContent = canDouble ? `Resume for ${about((run.budget.seconds ?? 0))} more` : 'Resume'
    button('run-delete').hidden = run.state === 'running'
    const board = find('run-board', HTMLAnchorElement)
    board.hidden = pageOf(run.problem) === '/quarto' || run.improvements.length === 0
    board.href = `${pageOf(run.problem)}#run-${run.id}`
    drawSteps(find('curve', SVGSVGElement), run.improvements, run.seconds, null)
    const scores = run.results.map(result => result.score).filter(score => score !== null)
    part('results').hidden = scores.length < 2
    if (scores.length > 1) drawBars(find('bars', SVGSVGElement), bars(scores), null)
    this.#table(run)
    for (const form of ['json', 'csv', 'svg']) {
      find(`as-${form}`, HTMLAnchorElement).href = `/api/runs/${run.id}/export?as=${form}`
    }
  }

  /** @param {api.Account} run @param {string | undefined} stop */
  #state(run, stop) {
    if (run.state === 'running') return run.here ? 'Running' : `Running in process ${run.process}`
    if (run.state === 'interrupted') return `Paused ${ago(run.worked)}`
    const reasons = { finished: 'Finished', playouts: 'Playouts spent', time: 'Time over', target: 'Target reached', bound: 'Proven best' }
    return new Map(Object.entries(reasons)).get(stop ?? '') ?? 'Stopped'
  }

  /** @param {api.Account} run */
  #table(run) {
    part('steps').replaceChildren(
      ...run.improvements.toReversed().map(step =>
        html('tr', {}, html('td', {}, about(step.seconds)), html('td', {}, count(step.playouts)), html('td', {}, worth(step.score, step.meaning, String)))),
    )
    const facts = { Begun: ago(run.started), Machine: run.machine, Version: run.version, ...(run.from.length > 0 ? { From: `move ${run.from.length}` } : {}) }
    part('facts').replaceChildren(
      ...Object.entries(facts).flatMap(([name, value]) => [html('dt', {}, name), html('dd', {}, value)]),
    )
  }
}
