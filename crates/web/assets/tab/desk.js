// The requests of the app, answered in the browser: those about runs from what is kept here, all others by the engine.

import * as kept from './kept.js'
import { pack, unpack } from './pack.js'
import { Remote, engineWith, problemOf } from './remote.js'
import * as searches from './searches.js'
import { Refused, described, running } from './searches.js'

/** @typedef {{ query: Record<string, string>, id: number, body: string, signal: AbortSignal | null }} Asked */

/** Games of a problem in a list. */
const FAMOUS = 10

/** What keeps a worker busy for seconds: it has one of its own, which ends when nobody waits for the answer any more. */
const LONG = [
  '/api/hint', '/api/table/reply', '/api/table/analysis', '/api/puzzles/new', '/api/puzzles/book', '/api/puzzles/mistakes', '/api/puzzles/reasons', '/api/puzzles/solutions',
]

/** @type {Record<import('./remote.js').Name, Remote>} */
const answering = { nestling: new Remote('nestling'), others: new Remote('others') }

/** The worker of an engine; a new one where the last broke down. @param {import('./remote.js').Name} name */
function worker(name) {
  if (answering[name].isOver) answering[name] = new Remote(name)
  return answering[name]
}

/** Asks the engine that has the problem of a call. @param {import('./engine.js').Header} header */
const call = header => worker(engineWith(header['problem'] ?? problemOf(header['spec']))).call(header)

/** @param {unknown} object @param {number} [status] */
const json = (object, status = 200) => Response.json(object, { status })

/** @param {BlobPart} body @param {string} kind @param {string | null} name */
const file = (body, kind, name) =>
  new Response(body, { headers: { 'Content-Type': kind, ...(name && { 'Content-Disposition': `attachment; filename="${name}"` }) } })

/** What the engine is, asked for once. @type {Promise<{ version: string }> | undefined} */
let known

export function about() {
  known ??= worker('nestling').call({ call: 'about' }).then(({ header }) => /** @type {{ version: string }} */ (header))
  known.catch(() => (known = undefined))
  return known
}

/** @type {[string, RegExp, (asked: Asked) => Promise<Response>][]} */
const ROUTES = [
  ['GET', /^\/api\/about$/, async () => json({ version: (await about()).version, threads: navigator.hardwareConcurrency || 1, report: false, packs: true })],
  ['GET', /^\/api\/pack$/, async () => file(await pack(), 'application/jsonl', 'nestling.runs')],
  ['POST', /^\/api\/pack$/, async ({ body }) => json(await unpack(body, call, await running()))],
  ['GET', /^\/api\/records$/, records],
  ['GET', /^\/api\/best$/, best],
  ['GET', /^\/api\/runs$/, list],
  ['POST', /^\/api\/runs$/, async ({ body }) => json(await searches.begin(body, (await about()).version))],
  ['GET', /^\/api\/runs\/(\d+)$/, async ({ id }) => json(account(await searches.known(id), (await running()).has(id)))],
  ['DELETE', /^\/api\/runs\/(\d+)$/, async ({ id }) => (await searches.remove(id), json({ deleted: id }))],
  ['GET', /^\/api\/runs\/(\d+)\/export$/, exported],
  ['POST', /^\/api\/runs\/(\d+)\/pause$/, async ({ id }) => json(await searches.stop(id, 'pause'))],
  ['POST', /^\/api\/runs\/(\d+)\/cancel$/, async ({ id }) => json(await searches.stop(id, 'cancel'))],
  ['POST', /^\/api\/runs\/(\d+)\/resume$/, async ({ id, body }) => json(await searches.resume(id, JSON.parse(body)))],
]

/**
 * Answers a request as the server would.
 * @param {string} path @param {RequestInit} [request] @returns {Promise<Response>}
 */
export async function answered(path, request = {}) {
  const address = new URL(path, 'http://tab')
  const method = request.method ?? 'GET'
  const query = Object.fromEntries(address.searchParams)
  const signal = request.signal ?? null
  try {
    signal?.throwIfAborted()
    for (const [wanted, pattern, answer] of ROUTES) {
      const found = wanted === method ? address.pathname.match(pattern) : null
      if (found) return await answer({ query, id: Number(found[1]), body: String(request.body ?? ''), signal })
    }
    return await asked(method, address.pathname, query, request.body ?? null, signal)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    return json({ error: error instanceof Error ? error.message : String(error) }, error instanceof Refused ? error.status : 422)
  }
}

/** @param {string} method @param {string} path @param {Record<string, string>} query @param {BodyInit | null} body @param {AbortSignal | null} signal */
async function asked(method, path, query, body, signal) {
  const bytes = body === null ? undefined : new Uint8Array(await new Response(body).arrayBuffer())
  const header = { call: 'request', method: method.toLowerCase(), path, query }
  const name = engineFor(path, query, body)
  const answer = LONG.includes(path) ? await thoughtOver(name, header, bytes, signal) : await worker(name).call(header, { body: bytes })
  // A file may have a game of any problem.
  const isUnknown = path === '/api/games/open' && name === 'nestling' && answer.header['status'] !== 200
  return sent(isUnknown ? await worker('others').call(header, { body: bytes }) : answer)
}

/** Which engine answers a request. @param {string} path @param {Record<string, string>} query @param {BodyInit | null} body */
function engineFor(path, query, body) {
  if (path === '/api/problems') return 'others'
  if (path === '/api/games/open') return 'nestling'
  const problem = query['problem'] ?? (typeof body === 'string' ? problemOf(body) : '')
  return problem === '' ? 'nestling' : engineWith(problem)
}

/** @param {import('./engine.js').Message} message */
function sent({ header, body: reply }) {
  const { status, kind, name } = /** @type {{ status: number, kind: string, name: string | null }} */ (header)
  return status === 200 ? file(reply, kind, name) : new Response(reply, { status, headers: { 'Content-Type': kind } })
}

/**
 * Asks a worker that does nothing else, and ends when nobody waits for the answer any more.
 * @param {import('./remote.js').Name} name @param {import('./engine.js').Header} header @param {Uint8Array | undefined} body @param {AbortSignal | null} signal
 */
async function thoughtOver(name, header, body, signal) {
  const remote = new Remote(name)
  const aborted = new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('nobody waits for the answer', 'AbortError')), { once: true })
  })
  const call = remote.call(header, { body, patience: Infinity })
  call.catch(() => {})
  try {
    return await Promise.race([call, /** @type {Promise<never>} */ (aborted)])
  } finally {
    remote.end()
  }
}

/** @param {Asked} asked */
async function records({ query }) {
  const problem = query['problem'] ?? null
  const name = problem && (await open(problem))
  const found = await kept.games(name)
  /** @type {Map<string, number>} */
  const counts = new Map()
  const few = found.filter(game => {
    const count = (counts.get(game.problem) ?? 0) + 1
    counts.set(game.problem, count)
    return count <= FAMOUS
  })
  const games = few.map(({ problem, score, moves, search, seed, run, found }) =>
    ({ problem, score, moves, search, seed, run, found: new Date(found).toISOString() }))
  const remote = worker(engineWith(...games.map(game => game.problem), ...(problem ? [problem] : [])))
  const { header } = await remote.call({ call: 'records', problem, own: query['own'] === 'true', games })
  return json(header['records'])
}

/** The name that a problem is kept by. @param {string} problem */
async function open(problem) {
  const response = await asked('GET', '/api/problem', { problem }, null, null)
  const found = await response.json()
  if (!response.ok) throw new Refused(response.status, found.error)
  return found.name
}

/** The best score of every search, from the start of a problem. @param {Asked} asked */
async function best({ query }) {
  /** @type {Map<string, { search: string, best: number, run: number, meaning?: import('../core/api.js').Meaning | undefined }>} */
  const found = new Map()
  const runs = (await kept.runs()).reverse().filter(run => run.problem === query['problem'] && run.from.length === 0)
  const sign = runs[0]?.minimise ? -1 : 1
  for (const { id, search, steps } of runs) {
    const step = steps.at(-1)
    const before = found.get(search)
    if (!step || (before && sign * before.best >= sign * step.score)) continue
    found.set(search, { search, best: step.score, run: id, ...(step.meaning && { meaning: step.meaning }) })
  }
  return json([...found.values()].sort((one, other) => sign * (other.best - one.best)))
}

/** @param {Asked} asked */
async function list({ query }) {
  const [runs, going] = [await kept.runs(), await running()]
  return json(runs.slice(0, Number(query['limit'] ?? 50)).map(run => described(run, going.has(run.id))))
}

/** Everything about a run. @param {kept.KeptRun} run @param {boolean} here */
function account(run, here) {
  const iso = (/** @type {number} */ moment) => new Date(moment).toISOString()
  const improvements = run.steps.map(({ found, ...step }) => ({ run: 0, ...step, found: iso(found) }))
  const results = run.result ? [{ run: 0, ...run.result, finished: iso(run.result.finished) }] : []
  return { ...described(run, here), improvements, results }
}

/** A run as data or a chart, as `nestling runs export` writes it. @param {Asked} asked */
async function exported({ query, id }) {
  const run = await searches.known(id)
  const form = query['as']
  const name = `run-${id}.${form}`
  if (form === 'json') return file(`${JSON.stringify(account(run, (await running()).has(id)), null, 2)}\n`, 'application/json', name)
  if (form === 'csv') {
    const rows = run.steps.map(({ seconds, playouts, score, found, moves }) =>
      [0, seconds, playouts, score, new Date(found).toISOString(), `"${moves.join(' ').replaceAll('"', '""')}"`].join())
    return file(['run,seconds,playouts,score,found,moves', ...rows, ''].join('\n'), 'text/csv; charset=utf-8', name)
  }
  if (form !== 'svg') throw new Refused(422, 'a run can be exported as json, csv or svg')
  const title = `${run.search} on ${run.problem}, seed ${run.seed}`
  const steps = run.steps.map(({ seconds, score }) => [seconds, score])
  const { body } = await call({ call: 'chart', title, problem: run.problem, seconds: run.seconds, steps })
  return file(body, 'image/svg+xml', name)
}
