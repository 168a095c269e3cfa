// One search of this page: a worker drives the run, others make its tasks. The result depends on neither their number nor their pace.

import { bars } from '../core/chart.js'
import * as kept from './kept.js'
import { Crash, Remote, engineWith } from './remote.js'

/** @typedef {import('./kept.js').KeptRun} KeptRun */
/** @typedef {import('./engine.js').Header} Header */
/** @typedef {import('./engine.js').Message} Message */

/** How long a worker searches between two looks at what it is told, in seconds. */
const STEP = 0.1

/** The time between checkpoints, in milliseconds; longer where they take long. */
const INTERVAL = 2_000

/** A checkpoint may take this share of the time. */
const SHARE = 1 / 20

/** How often the page is told how far the search is, in milliseconds. */
const PULSE = 250

/** How many scores the histogram is of, and over how many milliseconds the rate is measured. */
const [SAMPLE, SPAN] = [20_000, 2_000]

/** How many tasks a worker is given at once, at most: where they are short, that many take half a step. The engine hands out no more ahead. */
const TOGETHER = 512

/** How often the driver, or the workers at one place, may break down in a row before the search is given up. */
const BREAKDOWNS = 5

/** The memory that the workers of one search may take together, in bytes: a tab has about two gigabytes. */
const MEMORY = 1 << 30

/** What a worker takes beside what its search holds. */
const OVERHEAD = 16 << 20

const BY = 'this tab'

/** How many tasks are made at once. @param {number} memory what each may hold, in bytes */
export const workers = memory => {
  const most = Math.floor(MEMORY / (memory + OVERHEAD))
  return Math.max(1, Math.min(navigator.hardwareConcurrency || 1, most))
}

const later = (/** @type {number} */ milliseconds) => new Promise(resolve => setTimeout(resolve, milliseconds))

/** Something to wait for. */
function signal() {
  let give = () => {}
  const promise = /** @type {Promise<void>} */ (new Promise(resolve => (give = resolve)))
  return { promise, give }
}

/** @typedef {{ index: number, length: number }} Parcel */

/** A worker that makes tasks, and what it is at. */
class Maker {
  /** @param {import('./remote.js').Name} engine */
  constructor(engine) {
    this.remote = new Remote(engine)
    /** The numbers of its tasks. @type {number[]} */
    this.indices = []
    /** Playouts of its tasks here: all of them, and those that the driver knows. */
    this.playouts = 0
    this.known = 0
    this.reported = 0
    /** How many tasks it takes at once. */
    this.together = 1
    /** How often workers at its place have broken down since the driver had a report from there. */
    this.breakdowns = 0
  }

  forget() {
    Object.assign(this, { indices: [], playouts: 0, known: 0 })
  }

  /** Takes more tasks at once where they are short. @param {number} seconds that the last ones took */
  pace(seconds) {
    if (seconds < STEP / 2) this.together = Math.min(2 * this.together, TOGETHER)
    else if (seconds > STEP) this.together = Math.max(this.together >> 1, 1)
  }
}

export class Search {
  /**
   * @param {KeptRun} run
   * @param {Remote | null} driver that has begun the run already; none if it goes on from its checkpoint
   * @param {(news: any) => void} tell
   * @param {number} count how many workers make tasks
   */
  constructor(run, driver, tell, count) {
    this.run = run
    this.engine = engineWith(run.problem)
    this.driver = driver ?? new Remote(this.engine)
    this.isBegun = driver !== null
    this.tell = tell
    this.count = count
    /** Why it is to end: for good, for now, or because its time is over. @type {'cancel' | 'pause' | 'time' | null} */
    this.ending = null
    this.before = run.seconds
    this.began = performance.now()
    /** @type {Set<Maker>} */
    this.makers = new Set()
    /** @type {Set<number>} */
    this.unwanted = new Set()
    this.isOver = false
    /** Whether the driver has a result: it is not thrown away by who pauses at the last moment. */
    this.hasEnded = false
    this.spent = run.playouts
    /** Is over as soon as something happens that workers may wait for. */
    this.moved = signal()
    /** @type {number[]} */
    this.sample = []
    /** @type {[number, number][]} */
    this.pace = []
    this.told = 0
    /** How often the driver has broken down since the last checkpoint. */
    this.breakdowns = 0
    this.keeping = 0
    /** Keeps a checkpoint at once. */
    this.wake = () => {}
  }

  get seconds() {
    return this.before + (performance.now() - this.began) / 1000
  }

  get playouts() {
    return this.spent + [...this.makers].reduce((sum, maker) => sum + Math.max(0, maker.playouts - maker.known), 0)
  }

  /** Playouts a second, lately. */
  get rate() {
    const [first, last] = [this.pace[0], this.pace.at(-1)]
    return first && last && last[0] > first[0] ? Math.max(0, Math.round((1000 * (last[1] - first[1])) / (last[0] - first[0]))) : 0
  }

  /** What pages see of it while it goes on. */
  get standing() {
    const best = this.run.steps.at(-1)?.score ?? null
    return { seconds: this.seconds, playouts: this.playouts, best, rate: this.rate, histogram: this.sample.length > 0 ? bars(this.sample) : [] }
  }

  /** @param {'cancel' | 'pause'} how */
  stop(how) {
    this.ending = how
    this.#move()
  }

  /** Searches to the end, or until it is stopped. Everything is kept when this is over. */
  async search() {
    for (;;) {
      try {
        return await this.#drive()
      } catch (error) {
        this.driver.end()
        const isUnwanted = this.ending === 'pause' || this.ending === 'cancel'
        if (!(error instanceof Crash) || ++this.breakdowns > BREAKDOWNS || isUnwanted) throw error
        // The driver itself broke down: it goes on from the last checkpoint.
        Object.assign(this, { driver: new Remote(this.engine), isBegun: false, isOver: false, hasEnded: false, unwanted: new Set() })
      }
    }
  }

  async #drive() {
    const { run } = this
    if (!this.isBegun) {
      const left = await kept.checkpoint(run.id)
      const { seconds, playouts, moves } = left ?? { seconds: 0, playouts: 0, moves: 0 }
      const spent = { seconds, playouts, moves }
      const { header } = await this.driver.call({ call: 'resume', spec: run.spec, workers: this.count, spent }, { body: left?.bytes })
      this.count = header['divided'] ? Math.min(this.count, workers(header['memory'] ?? 0)) : 1
      this.spent = playouts
      this.before = seconds
      this.began = performance.now()
      this.isBegun = true
    }
    await this.#keep()
    const saving = this.#save()
    /** @type {unknown[]} */
    const failures = []
    const fail = (/** @type {unknown} */ error) => {
      failures.push(error)
      this.#finish()
    }
    const making = Array.from({ length: this.count }, (_, place) => this.#make(place).catch(fail))
    await Promise.all([...making, saving.catch(fail)])
    this.#finish()
    if (failures.length > 0) throw failures[0]
    if (this.ending === 'time') this.#heard((await this.driver.call({ call: 'stop' })).header)
    const result = await this.#end()
    this.driver.end()
    return result
  }

  /** Ends those that make tasks. */
  #finish() {
    this.isOver = true
    for (const { remote } of this.makers) remote.end()
    this.makers.clear()
    this.#move()
  }

  /** What is left to be done when nobody makes tasks any more. */
  async #end() {
    const { run } = this
    const checkpoint = await this.#checkpoint()
    if (!this.hasEnded && (this.ending === 'pause' || this.ending === 'cancel')) {
      run.goes = false
      run.done = this.ending === 'cancel'
      await kept.keep(run, checkpoint)
      return null
    }
    const { header } = await this.driver.call({ call: 'outcome', seconds: this.seconds })
    const { score, moves, complete, proven, stop, playouts, seconds, meaning } = header
    run.goes = false
    run.done = true
    run.result = { score, moves, complete, proven, stop, playouts, seconds, finished: Date.now(), meaning }
    run.kept = header['kept']
    run.playouts = playouts
    // A search that is complete cannot go on; any other can, with a larger budget.
    await kept.keep(run, stop === 'finished' ? null : checkpoint)
    return { ...header, kept: undefined, event: 'result', id: run.id }
  }

  #move() {
    this.moved.give()
    this.moved = signal()
    if (this.isOver || this.ending) this.wake()
  }

  /** Makes one task after the other. @param {number} place */
  async #make(place) {
    let maker = new Maker(this.engine)
    this.makers.add(maker)
    for (;;) {
      try {
        await this.#work(maker, place)
        return
      } catch (error) {
        if (this.isOver && error instanceof Crash) return
        if (!(error instanceof Crash) || this.driver.isOver || ++maker.breakdowns > BREAKDOWNS) throw error
        // What it was at goes on, by whomever, from the last that it reported.
        maker.remote.end()
        this.makers.delete(maker)
        await this.driver.call({ call: 'lost', indices: maker.indices })
        maker = Object.assign(new Maker(this.engine), { breakdowns: maker.breakdowns })
        this.makers.add(maker)
        this.#move()
      }
    }
  }

  /** @param {Maker} maker @param {number} place */
  async #work(maker, place) {
    /** The reports of the tasks that are over. @type {Message | null} */
    let made = null
    for (;;) {
      // In a hidden tab one worker is enough.
      const wants = !this.ending && (place === 0 || !document.hidden) ? maker.together : 0
      const next = await this.#exchange(made, wants, maker)
      if (made !== null) maker.breakdowns = 0
      made = null
      /** @type {Parcel[]} */
      const tasks = next.header['parcels']
      if (this.isOver || this.ending) {
        // Nobody makes them.
        if (!this.isOver && tasks.length > 0) await this.driver.call({ call: 'lost', indices: tasks.map(({ index }) => index) })
        return
      }
      if (tasks.length === 0) {
        // Others are at what is left for now; a tab may be seen again, too.
        await Promise.race([this.moved.promise, later(1000)])
        if (this.isOver) return
        continue
      }
      const began = performance.now()
      Object.assign(maker, { indices: tasks.map(({ index }) => index), playouts: 0, known: 0, reported: began })
      let step = await maker.remote.call({ call: 'tasks', tasks, seconds: STEP, by: BY }, { body: next.body })
      for (;;) {
        this.#progress(maker, step.header)
        if (this.isOver) return
        if (step.header['over']) {
          maker.pace((performance.now() - began) / 1000)
          made = step
          break
        }
        this.#watchTime()
        if (maker.indices.every(index => this.unwanted.has(index))) {
          await this.driver.call({ call: 'lost', indices: maker.indices })
          break
        }
        const isBetter = this.#isBetter(step.header['best'])
        if (this.ending || isBetter || performance.now() - maker.reported > Math.max(INTERVAL, this.keeping / SHARE)) {
          await this.#report(maker)
          if (this.isOver) return
        }
        if (this.ending) break
        if (document.hidden) await Promise.race([this.moved.promise, later(1000 * STEP)])
        step = await maker.remote.call({ call: 'step', seconds: STEP, by: BY })
      }
      // What is reported on the way is in the driver's count soon; what is not is lost.
      if (made === null) maker.forget()
      this.#watchTime()
    }
  }

  /** Passes the reports on that there are, and an interim one of the present task. @param {Maker} maker */
  async #report(maker) {
    const began = performance.now()
    const reports = await maker.remote.call({ call: 'report', seconds: 0, by: BY })
    await this.#exchange(reports, 0)
    maker.known = reports.header['playouts']
    maker.reported = performance.now()
    maker.breakdowns = 0
    this.keeping = Math.max(this.keeping / 2, maker.reported - began)
  }

  /**
   * Hands reports in, and asks for the next tasks.
   * @param {Message | null} reports
   * @param {number} wants how many tasks
   * @param {Maker} [done] who is done with its tasks
   */
  async #exchange(reports, wants, done) {
    const reply = await this.driver.call({ call: 'next', taken: reports?.header['parcels'] ?? [], wants }, { body: reports?.body })
    done?.forget()
    this.#heard(reply.header)
    if (reports !== null) this.#move()
    return reply
  }

  /** What the driver says of the run. @param {Header} header */
  #heard(header) {
    this.spent = header['spent']
    this.hasEnded ||= header['over']
    this.isOver ||= this.hasEnded
    if (this.isOver) this.wake()
    this.unwanted = new Set(header['unwanted'])
    for (const found of header['improvements']) this.#improve(found)
  }

  /** @param {number | null} score */
  #isBetter(score) {
    const best = this.run.steps.at(-1)?.score
    if (score === null || best === undefined) return score !== null
    return this.run.minimise ? score < best : score > best
  }

  /** @param {{ score: number, moves: string[], playouts: number, identity: string, meaning?: import('../core/api.js').Meaning }} found */
  #improve({ score, moves, identity, meaning }) {
    // A run that goes on from a checkpoint finds again what was found after it.
    if (!this.#isBetter(score)) return
    const { run } = this
    const step = { score, moves, playouts: this.playouts, seconds: this.seconds, found: Date.now(), ...(meaning && { meaning }) }
    run.steps.push(step)
    this.tell({ event: 'improvement', id: run.id, ...step })
    const worth = run.minimise ? -score : score
    const game = { problem: run.problem, identity, score, worth, moves, search: run.search, seed: run.seed, run: run.id, found: step.found }
    // Not the other way round: a run that goes on finds what it has not kept again, and adds it.
    kept.addGame(game).then(() => this.#keep()).catch(error => this.#trouble(error))
  }

  /** @param {unknown} error */
  #trouble(error) {
    this.tell({ event: 'trouble', id: this.run.id, error: error instanceof Error ? error.message : String(error) })
  }

  /** @param {Maker} maker @param {Header} header */
  #progress(maker, header) {
    maker.playouts = header['playouts']
    this.sample.push(...header['scores'])
    this.sample.splice(0, this.sample.length - SAMPLE)
    const now = performance.now()
    if (now - this.told < PULSE) return
    this.told = now
    this.pace.push([now, this.playouts])
    while (now - (this.pace[0]?.[0] ?? now) > SPAN) this.pace.shift()
    this.tell({ event: 'progress', id: this.run.id, ...this.standing })
  }

  #watchTime() {
    const { seconds } = this.run.budget
    if (seconds === null || this.ending || this.seconds < seconds) return
    this.ending = 'time'
    this.#move()
  }

  /** Keeps a checkpoint from time to time. */
  async #save() {
    while (!this.isOver && !this.ending) {
      await new Promise(resolve => {
        const timer = setTimeout(resolve, Math.max(INTERVAL, this.keeping / SHARE))
        this.wake = () => (clearTimeout(timer), resolve(undefined))
      })
      if (this.isOver || this.ending) return
      const began = performance.now()
      try {
        await kept.keep(this.run, await this.#checkpoint())
        this.breakdowns = 0
      } catch (error) {
        if (error instanceof Crash) throw error
        this.#trouble(error)
      }
      this.keeping = Math.max(this.keeping / 2, performance.now() - began)
    }
  }

  /** @returns {Promise<import('./kept.js').Checkpoint>} */
  async #checkpoint() {
    const { run } = this
    const { header, body } = await this.driver.call({ call: 'checkpoint' })
    const { playouts, moves } = /** @type {{ playouts: number, moves: number }} */ (header)
    Object.assign(run, { seconds: this.seconds, playouts, moves, worked: Date.now() })
    return { run: run.id, bytes: body, seconds: run.seconds, playouts, moves }
  }

  async #keep() {
    Object.assign(this.run, { seconds: this.seconds, worked: Date.now() })
    await kept.keep(this.run)
  }
}
