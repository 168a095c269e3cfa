// One run: its chart, its improvements, what can be done with it.

import * as api from '../core/api.js'
import { pageOf } from '../core/address.js'
import { bars, drawBars, drawSteps } from '../core/chart.js'
import { button, figure, find, html, part } from '../core/dom.js'
import { complain, does, save } from '../core/page.js'
import { about, ago, clock, count, roughly, shortName, worth } from '../core/text.js'
import { words } from '../core/words.js'
import { Boards } from './boards.js'

/** What a run can be kept as. */
const FORMS = /** @type {const} */ (['json', 'csv', 'svg', 'gif'])

/**
 * Steps with their moves: those that were found before the page listened come without them, and the account of the run has them.
 * @param {api.Step[]} steps @param {api.Step[]} known
 */
function withMoves(steps, known) {
  const key = (/** @type {api.Step} */ { playouts, score }) => `${playouts} ${score}`
  const moves = new Map(known.map(step => [key(step), step.moves]))
  return steps.map(step => ({ ...step, moves: step.moves ?? moves.get(key(step)) }))
}

export class Detail {
  /** @param {import('../core/events.js').Searches} searches */
  constructor(searches) {
    this.searches = searches
    this.id = 0
    this.boards = new Boards()
    /** @type {api.Account | null} */
    this.account = null
    /** @type {api.Problem | null} */
    this.problem = null
    does(button('run-pause'), () => api.pause(this.id))
    does(button('run-stop'), () => api.cancel(this.id))
    does(button('run-resume'), () => this.#resume())
    does(button('run-delete'), () => this.#delete())
    does(button('run-print'), () => this.#print())
    for (const form of FORMS) does(button(`as-${form}`), () => this.#keep(form))
    searches.listen(news => 'id' in news && news.id === this.id && this.#hear(news))
    const redraw = () => this.account && void this.boards.show(this.account).catch(complain)
    addEventListener('theme', redraw)
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw)
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
      if (this.id !== id) return
      this.id = 0
      complain(error)
    }
  }

  /** Looks again at a run that sends no news: one of another process, or one that has ended while the page was hidden. */
  async again() {
    const { id, account } = this
    if (account?.state !== 'running' || this.searches.going.has(id)) return
    const now = await api.run(id)
    if (this.id !== id) return
    this.account = now
    this.#show()
  }

  /** @param {import('../core/events.js').News} news */
  #hear(news) {
    const live = this.searches.going.get(this.id)
    if (news.event === 'deleted') location.hash = ''
    else if (news.event === 'run' && !news.here) void this.open(this.id)
    else if (live && this.account) {
      const { results, improvements } = this.account
      Object.assign(this.account, live, { results, improvements: withMoves(live.improvements, improvements) })
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
    if (!confirm(words('runs.delete-run', { id: String(this.id) }))) return
    await api.remove(this.id)
    location.hash = ''
  }

  /** @param {typeof FORMS[number]} form */
  async #keep(form) {
    const { file, name } = await api.exportedRun(this.id, form)
    save(file, name)
  }

  /** The run as a sheet: its chart, its facts and its improvements. */
  async #print() {
    const texts = ['run-search', 'run-state'].map(id => part(id).textContent ?? '')
    const best = `${part('run-best').textContent} ${part('run-unit').textContent}`
    const parts = [find('curve', SVGSVGElement), part('facts'), part('steps').parentElement ?? part('steps')]
    const { printSheet } = await import('../core/print.js')
    await printSheet(part('run-name').textContent ?? '', [...texts, best], ...parts.map(part => part.cloneNode(true)))
  }

  #show() {
    const { account: run, problem } = this
    if (!run) return
    part('detail').hidden = false
    const isOver = run.state === 'done'
    const stop = run.results[0]?.stop
    part('run-name').textContent = words('runs.run-problem-seed', { id: String(run.id), problem: shortName(run.problem), seed: String(run.seed) })
    part('run-search').textContent = run.search
    figure(part('run-best'), run.best, run.meaning)
    part('run-unit').textContent = run.meaning ? '' : problem?.unit ?? words('runs.score')
    part('run-state').textContent = words('runs.state-playouts', { state: this.#state(run, stop), playouts: roughly(run.playouts), time: clock(run.seconds) })
    button('run-pause').hidden = button('run-stop').hidden = !run.here
    const canDouble = isOver && stop === 'time'
    button('run-resume').hidden = run.here || run.runs > 1 || !(run.state === 'interrupted' || canDouble || (isOver && !stop))
    button('run-resume').textContent = canDouble ? words('runs.resume-for-more', { time: about(run.budget.seconds ?? 0) }) : words('runs.resume')
    button('run-delete').hidden = run.state === 'running'
    button('as-gif').hidden = run.improvements.length === 0 || !problem?.formats.some(({ name }) => name === 'gif')
    const board = find('run-board', HTMLAnchorElement)
    board.hidden = /^quarto\b/.test(run.problem) || run.improvements.length === 0
    board.href = `${pageOf(run.problem)}#run-${run.id}`
    drawSteps(find('curve', SVGSVGElement), run.improvements, run.seconds, null)
    const scores = run.results.map(result => result.score).filter(score => score !== null)
    part('results').hidden = scores.length < 2
    if (scores.length > 1) drawBars(find('bars', SVGSVGElement), bars(scores), null)
    this.#table(run)
    void this.boards.show(run).catch(complain)
  }

  /** @param {api.Account} run @param {string | undefined} stop */
  #state(run, stop) {
    if (run.state === 'running') return run.here ? words('runs.running') : words('runs.running-in-process', { process: String(run.process) })
    if (run.state === 'interrupted') return words('runs.paused', { when: ago(run.worked) })
    /** @type {Record<string, Parameters<typeof words>[0]>} */
    const reasons = { finished: 'runs.finished', playouts: 'runs.playouts-spent', time: 'runs.time-over', target: 'runs.target-reached', bound: 'runs.proven-best' }
    return words(reasons[stop ?? ''] ?? 'runs.stopped')
  }

  /** @param {api.Account} run */
  #table(run) {
    part('steps').replaceChildren(
      ...run.improvements.toReversed().map(step =>
        html('tr', {}, html('td', {}, about(step.seconds)), html('td', {}, count(step.playouts)), html('td', {}, worth(step.score, step.meaning, String)))),
    )
    const facts = {
      [words('runs.begun')]: ago(run.started), [words('runs.machine')]: run.machine, [words('runs.version')]: run.version,
      ...(run.from.length > 0 ? { [words('runs.from')]: words('runs.from-move', { move: run.from.length }) } : {}),
    }
    part('facts').replaceChildren(
      ...Object.entries(facts).flatMap(([name, value]) => [html('dt', {}, name), html('dd', {}, value)]),
    )
  }
}
