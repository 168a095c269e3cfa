// All searches of this browser. Each is made by one tab, which holds its lock, and is heard of in all; when that tab is closed, another that
// is open, or the next that is opened, goes on with it.

import * as kept from './kept.js'
import { Remote, engineWith, problemOf } from './remote.js'
import { Search, workers } from './search.js'

/** @typedef {import('./kept.js').KeptRun} KeptRun */
/** @typedef {import('../core/events.js').News} News */

/** Searches at once. */
const MOST = 4

/** How long another tab may take to answer, in milliseconds. */
const PATIENCE = 10_000

/** How long a lock that is about to be free may take, in milliseconds. */
const MOMENT = 1_000

/** A request that is refused, with the status that the server would give. */
export class Refused extends Error {
  /** @param {number} status @param {string} reason */
  constructor(status, reason) {
    super(reason)
    this.status = status
  }
}

const lockOf = (/** @type {number} */ id) => `nestling-run-${id}`

/** The searches that this tab makes. @type {Map<number, Search>} */
const mine = new Map()

/** Runs whose lock this tab holds or waits for. @type {Set<number>} */
const claimed = new Set()

/** @type {Set<(news: any) => void>} */
const listeners = new Set()

const channel = new BroadcastChannel('nestling')

/** Tells this page and those in other tabs. @param {any} news */
function tell(news) {
  hear(news)
  channel.postMessage({ news })
}

/** @param {any} news */
function hear(news) {
  for (const listener of listeners) listener(news)
}

channel.onmessage = ({ data }) => {
  if (data.news) hear(data.news)
  else if (data.asks) for (const search of mine.values()) channel.postMessage({ news: live(search) })
  else if (data.stop) mine.get(data.id)?.stop(data.stop)
  else if (data.goes) claim(data.goes)
}

/** The numbers of the runs that some tab makes. @returns {Promise<Set<number>>} */
export async function running() {
  const held = (await navigator.locks?.query())?.held ?? []
  const numbers = held.map(({ name }) => Number(name?.match(/^nestling-run-(\d+)$/)?.[1] ?? 0)).filter(id => id > 0)
  return new Set([...numbers, ...mine.keys()])
}

const iso = (/** @type {number} */ moment) => `${new Date(moment).toISOString().slice(0, 19)}Z`

/** A seed as pages have it: one that they would round is only nearly right. @param {string} seed */
export const seedOf = seed => Number(seed)

/** A run as pages have it. @param {KeptRun} run @param {boolean} here */
export function described(run, here) {
  const { id, problem, search, from, budget, done, seconds, playouts, started, worked, version, machine } = run
  const [step, result] = [run.steps.at(-1), run.result]
  const best = step?.score ?? result?.score ?? null
  const meaning = step?.meaning ?? result?.meaning
  const state = here ? 'running' : done ? 'done' : 'interrupted'
  return {
    id, problem, search, seed: seedOf(run.seed), device: 'cpu', runs: 1, from, budget, state, process: null, best, finished: result ? 1 : 0,
    seconds, playouts, work: { seconds, playouts }, started: iso(started), worked: iso(worked), version, machine, here, ...(meaning && { meaning }),
  }
}

/** A search that goes on, as pages have it. @param {Search} search */
function live(search) {
  const { run } = search
  const improvements = run.steps.map(({ score, seconds, playouts, meaning }) => ({ score, seconds, playouts, ...(meaning && { meaning }) }))
  return { ...described(run, true), event: 'run', improvements, moves: run.steps.at(-1)?.moves ?? [], ...search.standing }
}

/** Calls a function with all news, the complete state first. @param {(news: any) => void} listener */
export function listen(listener) {
  // Those of other tabs answer soon.
  queueMicrotask(() => listener({ event: 'state', runs: [...mine.values()].map(live) }))
  listeners.add(listener)
  channel.postMessage({ asks: true })
  return () => void listeners.delete(listener)
}

/** @param {string} spec @param {string} version */
export async function begin(spec, version) {
  if ((await running()).size >= MOST) throw new Refused(429, `${MOST} searches are running already; pause or stop one first`)
  const driver = new Remote(engineWith(problemOf(spec)))
  try {
    const count = workers(0)
    const { header } = await driver.call({ call: 'begin', spec, workers: count })
    const now = Date.now()
    const { problem, search, seed, from, minimise, budget } = /** @type {any} */ (header)
    const run = await kept.add({
      spec: header['spec'], problem, search, seed, from, minimise, budget, version, machine: machine(), started: now, worked: now,
      goes: true, done: false, seconds: 0, playouts: 0, moves: 0, steps: [], result: null, kept: null,
    })
    return await start(run, driver, header['divided'] ? Math.min(count, workers(header['memory'] ?? 0)) : 1)
  } catch (error) {
    driver.end()
    throw error
  }
}

/** @param {number} id @param {{ seconds?: number, playouts?: number }} more */
export async function resume(id, more) {
  await untilFree(id)
  const run = await known(id)
  if ((await running()).size >= MOST) throw new Refused(429, `${MOST} searches are running already; pause or stop one first`)
  refuseFinished(run, more)
  const driver = new Remote(engineWith(run.problem))
  try {
    const left = await kept.checkpoint(id)
    const { seconds, playouts, moves } = left ?? { seconds: 0, playouts: 0, moves: 0 }
    const count = workers(0)
    const { header } = await driver.call(
      { call: 'resume', spec: run.spec, workers: count, spent: { seconds, playouts, moves }, ...more }, { body: left?.bytes })
    Object.assign(run, { spec: header['spec'], budget: header['budget'], goes: true, done: false, result: null, kept: null, seconds, playouts, moves })
    await kept.keep(run)
    return await start(run, driver, header['divided'] ? Math.min(count, workers(header['memory'] ?? 0)) : 1)
  } catch (error) {
    driver.end()
    throw error
  }
}

/** A lock that was given back a moment ago passes through the tabs that waited for it. @param {number} id */
async function untilFree(id) {
  for (const began = Date.now(); (await running()).has(id); ) {
    if (Date.now() - began > MOMENT) throw new Refused(409, `run ${id} is running already`)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

/** A finished run is resumed only with a larger budget that it can use. @param {KeptRun} run @param {{ seconds?: number, playouts?: number }} more */
function refuseFinished(run, more) {
  const { id, done, result, budget, seconds } = run
  const refuse = (/** @type {string} */ reason) => {
    throw new Refused(409, `run ${id} ${reason}`)
  }
  if (more.seconds !== undefined && more.seconds <= seconds) refuse(`has already used ${seconds.toFixed(1)} s of its time, and ${more.seconds} s is the new total; give it more`)
  if (!done || !result) return
  if (result.stop === 'time') more.seconds ?? refuse('is done: its time is used up; give it more time')
  else if (result.stop === 'playouts') (more.playouts ?? 0) > (budget.playouts ?? 0) || refuse('is done: its playouts are used up; give it more playouts')
  else refuse('is done: its search has ended')
}

/** The browser that made a run, for people. */
const machine = () => `a browser tab, ${navigator.hardwareConcurrency || 1} threads`

/** @param {number} id */
export async function known(id) {
  const run = await kept.run(id)
  if (!run) throw new Refused(404, `there is no run ${id}`)
  return run
}

/**
 * Starts a search whose run this tab has begun, and describes it.
 * @param {KeptRun} run @param {Remote} driver @param {number} count
 */
function start(run, driver, count) {
  const search = new Search(run, driver, tell, count)
  return new Promise((resolve, reject) => {
    claimed.add(run.id)
    const made = () => {
      const made = make(search)
      resolve(live(search))
      return made
    }
    const refused = (/** @type {unknown} */ error) => {
      claimed.delete(run.id)
      const isLate = error instanceof DOMException && error.name === 'TimeoutError'
      reject(isLate ? new Refused(409, `run ${run.id} is running in another tab`) : error)
    }
    if (!navigator.locks) void made()
    else navigator.locks.request(lockOf(run.id), { signal: AbortSignal.timeout(MOMENT) }, made).catch(refused)
  })
}

/** Makes a search to its end; this tab has its lock meanwhile. @param {Search} search */
async function make(search) {
  const { run } = search
  mine.set(run.id, search)
  tell(live(search))
  // Others wait for their turn, should this tab be closed.
  channel.postMessage({ goes: run.id })
  /** @type {any} */
  let result = null
  try {
    result = await search.search()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    tell({ event: 'failed', id: run.id, error: reason })
    run.goes = false
    await kept.keep(run).catch(() => {})
  }
  mine.delete(run.id)
  claimed.delete(run.id)
  if (result) tell(result)
  tell({ ...described(run, false), event: 'run' })
}

/** Waits until nobody makes a run that is to go on, and goes on with it. @param {number} id */
function claim(id) {
  if (claimed.has(id) || !navigator.locks) return
  claimed.add(id)
  navigator.locks.request(lockOf(id), async () => {
    const run = await kept.run(id)
    // What was found after the last checkpoint is found again.
    if (run?.goes) await make(new Search(run, null, tell, workers(0)))
    else claimed.delete(id)
  }).catch(() => claimed.delete(id))
}

/** Goes on with what a tab that was closed has left. */
export async function adopt() {
  for (const run of await kept.runs()) if (run.goes) claim(run.id)
}

/** Stops a search, wherever it is made, and answers when everything is kept. @param {number} id @param {'pause' | 'cancel'} how */
export async function stop(id, how) {
  await known(id)
  if (!(await running()).has(id)) throw new Refused(409, `run ${id} is not running here`)
  const over = new Promise((resolve, reject) => {
    const end = listenFor(news => news.event === 'run' && news.id === id && !news.here, () => (clearTimeout(timer), resolve(undefined)))
    const timer = setTimeout(() => (end(), reject(new Refused(409, `the tab that makes run ${id} does not answer`))), PATIENCE)
  })
  const search = mine.get(id)
  if (search) search.stop(how)
  else channel.postMessage({ stop: how, id })
  await over
  return described(await known(id), false)
}

/** @param {(news: any) => boolean} wanted @param {() => void} then */
function listenFor(wanted, then) {
  const listener = (/** @type {any} */ news) => {
    if (!wanted(news)) return
    listeners.delete(listener)
    then()
  }
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** @param {number} id */
export async function remove(id) {
  await known(id)
  if ((await running()).has(id)) throw new Refused(409, `run ${id} is running; stop it first`)
  await kept.remove(id)
  tell({ event: 'deleted', id })
}

// A tab that is closed is hidden first: that is the moment to keep what there is.
addEventListener('visibilitychange', () => {
  if (document.hidden) for (const search of mine.values()) search.wake()
})

/** Whether this tab makes a search. */
export const isBusy = () => mine.size > 0
