// What the pages ask, in one place; backend.js says who answers. /api/openapi.json has the whole of it.

import { answer } from './backend.js'
import { words } from './words.js'

/**
 * @typedef {{ name: string, goal: 'max' | 'min', unit: string | null, record: Known | null, game: boolean,
 *   formats: { name: string, extension: string }[], devices: Device[] }} Problem
 * @typedef {'cpu' | 'cuda'} Device
 * @typedef {{ words: string, solved: boolean }} Meaning
 * @typedef {{ score: number, holder: string, proven: boolean, bound: { score: number, prover: string } | null }} Known
 * @typedef {Record<string, unknown>} Provenance
 * @typedef {{ problem: string, moves: string[], score: number, complete: boolean, legal_moves: string[],
 *   worth: string, view: any, meaning?: Meaning }} Position
 * @typedef {{ problem: string, moves: string[], score: number, complete: boolean, format: string, record: string | null, title: string | null,
 *   notes?: string[], provenance: Provenance, meaning?: Meaning }} Opened
 * @typedef {{ name: string, title: string, problem: string, score: number, own: boolean, author: string | null,
 *   search: string | null, seed: number | null, date: string | null, source: string | null, record: boolean,
 *   proven: boolean, moves: string[], meaning?: Meaning }} Remembered
 * @typedef {{ seconds: number | null, playouts: number | null, target: number | null }} Budget
 * @typedef {{ id: number, problem: string, search: string, seed: number, device: Device, runs: number, from: string[], budget: Budget,
 *   state: 'running' | 'interrupted' | 'done', here: boolean, best: number | null, finished: number, seconds: number,
 *   playouts: number, started: string, worked: string, machine: string, version: string, process: number | null,
 *   meaning?: Meaning }} Run
 * @typedef {{ seconds: number, playouts: number, score: number, moves?: string[], run?: number, meaning?: Meaning }} Step
 * @typedef {Run & { improvements: Step[], results: { score: number, stop: string, seconds: number, moves: string[] }[] }} Account
 * @typedef {Run & { improvements: Step[], moves: string[], rate: number, histogram: [number, number][] }} Live
 * @typedef {{ move: string, moves: string[], score: number, playouts: number, seconds: number, search: string,
 *   proven: boolean, meaning?: Meaning }} Hint
 * @typedef {{ search: string, reason: string, means: string, endless: boolean, playouts: number | null, seconds: number | null }} Explanation
 * @typedef {{ name: string, strategy: string, about: string }} Level
 * @typedef {{ move: string, visits: number, value: number, verdict: 'win' | 'draw' | 'loss' | null, in: number | null }} Opinion
 * @typedef {{ move: string, deed: string, opinions: Opinion[], strategy: string, seed: number }} Reply
 * @typedef {{ problem: string, search?: string | null, from?: string[], seconds?: number, playouts?: number, seed?: number,
 *   device?: Device }} Order
 */

/**
 * An answer, or an error whose message can be shown as it is.
 * @param {string} path
 * @param {RequestInit} [request]
 */
async function ask(path, request) {
  const response = await answer(path, request)
  if (response.ok) return response
  const refusal = await response.json().catch(() => null)
  throw new Error(refusal?.error ?? words('core.status', { status: response.status }))
}

/** @param {string} path */
const get = async path => (await ask(path)).json()

/**
 * @param {string} path
 * @param {unknown} body
 * @param {AbortSignal} [signal]
 */
const post = (path, body, signal) =>
  ask(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body), signal })

const query = encodeURIComponent

/** `packs`: whether all runs can be had as one file. @returns {Promise<{ version: string, threads: number, report: boolean, packs?: boolean }>} */
export const about = () => get('/api/about')

/** @param {string} problem @returns {Promise<Problem>} */
export const problem = problem => get(`/api/problem?problem=${query(problem)}`)

/** The games of all problems that were found here. @returns {Promise<Remembered[]>} */
export const foundHere = () => get('/api/records?own=true')

/** @param {string} problem @returns {Promise<Remembered[]>} */
export const records = problem => get(`/api/records?problem=${query(problem)}`)

/** @param {string} problem @returns {Promise<{ search: string, best: number, run: number, meaning?: Meaning }[]>} */
export const best = problem => get(`/api/best?problem=${query(problem)}`)

/** @param {string} problem @param {string[]} moves @returns {Promise<Position>} */
export const position = async (problem, moves) => (await post('/api/games/position', { problem, moves })).json()

/** All problems. @returns {Promise<{ name: string, summary: string }[]>} */
export const problems = () => get('/api/problems')

/**
 * @typedef {{ name: string, usage: string, example: string, about: string, options: { name: string, about: string }[],
 *   menu: null | { title: string, about: string, choice: string, choices: { choice: string, expression: string }[], usual: string } }} Form
 */
/** The searches that there are. @returns {Promise<Form[]>} */
export const searches = () => get('/api/searches')

/** A puzzle of a text. @param {string} problem @param {string} text @returns {Promise<{ problem: string, view: any }>} */
export const paste = async (problem, text) => (await post('/api/puzzles', { problem, text })).json()

/** @param {string} problem @returns {Promise<{ solutions: 'none' | 'one' | 'several' | null }>} */
export const solutions = problem => get(`/api/puzzles/solutions?problem=${query(problem)}`)

/**
 * A new puzzle with one solution.
 * @param {string} kind @param {string} level @param {string} seed @returns {Promise<{ problem: string, techniques: string }>}
 */
export const newPuzzle = (kind, level, seed) => get(`/api/puzzles/new?kind=${query(kind)}&level=${query(level)}&seed=${query(seed)}`)

/**
 * Puzzles on pages to print, as a file, and its name.
 * @param {string} kind @param {string} level @param {string} seed @param {number} count @param {'pdf' | 'svg'} form
 */
export const book = async (kind, level, seed, count, form) =>
  saved(await ask(`/api/puzzles/book?kind=${query(kind)}&level=${query(level)}&seed=${query(seed)}&count=${count}&as=${form}`))

/**
 * The moves that contradict the solution, and the pencil marks, written as moves, that are not in it.
 * @param {string} problem @param {string[]} moves @param {string[]} marks
 * @returns {Promise<{ solvable: boolean | null, moves: string[] | null, marks: string[] | null }>}
 */
export const mistakes = async (problem, moves, marks) => (await post('/api/puzzles/mistakes', { problem, moves, marks })).json()

/** @typedef {{ technique: string, level: string, words: string, cells: string[], played: string | null, excluded: string[] }} Reason */
/** What follows by reasoning. @param {string} problem @param {string[]} moves @returns {Promise<{ steps: Reason[] | null }>} */
export const reasons = async (problem, moves) => (await post('/api/puzzles/reasons', { problem, moves })).json()

/** @param {string} problem @returns {Promise<{ name: string, puzzles: number }[]>} */
export const collections = problem => get(`/api/collections?problem=${query(problem)}`)

/** @param {string} problem @returns {Promise<{ levels: Level[] }>} */
export const table = problem => get(`/api/table?problem=${query(problem)}`)

/**
 * What a level plays; without one, what is advised.
 * @param {string} problem @param {string[]} moves @param {string | null} level @param {AbortSignal} signal @returns {Promise<Reply>}
 */
export const reply = async (problem, moves, level, signal) =>
  (await post('/api/table/reply', { problem, moves, ...(level ? { level } : {}) }, signal)).json()

/** @param {string} problem @param {string[]} moves @param {AbortSignal} signal @returns {Promise<{ turn: string, opinions: Opinion[] }>} */
export const analysis = async (problem, moves, signal) => (await post('/api/table/analysis', { problem, moves }, signal)).json()

/** @param {Blob} file @param {string} problem @returns {Promise<Opened>} */
export async function open(file, problem) {
  const response = await ask(`/api/games/open?problem=${query(problem)}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/octet-stream' },
    body: file,
  })
  return response.json()
}

/**
 * A game as a file, and its name.
 * @param {{ problem: string, moves: string[], format: string, provenance?: Provenance, theme?: string, animated?: boolean,
 *   up_to?: number, caption?: string }} order
 */
export const exported = async order => saved(await post('/api/games/export', order))

/** A run as a file, and its name. @param {number} id @param {'json' | 'csv' | 'svg' | 'gif'} form */
export const exportedRun = async (id, form) => saved(await ask(`/api/runs/${id}/export?as=${form}`))

/** A file that was sent, and its name. @param {Response} response */
async function saved(response) {
  const name = response.headers.get('Content-Disposition')?.match(/filename="([^"]*)"/)?.[1]
  return { file: await response.blob(), name: name ?? 'game' }
}

/** @param {string} problem @param {string[]} moves @param {AbortSignal} signal @param {number} [seconds] @returns {Promise<Hint>} */
export const hint = async (problem, moves, signal, seconds) => (await post('/api/hint', { problem, moves, seconds }, signal)).json()

/** @param {{ problem: string, search: string | null, seconds: number, device: Device }} order @param {AbortSignal} signal @returns {Promise<Explanation>} */
export const explain = async (order, signal) => (await post('/api/explain', order, signal)).json()

/** @param {Order} order @returns {Promise<Live>} */
export const begin = async order => (await post('/api/runs', order)).json()

/** @param {number} [limit] @returns {Promise<Run[]>} */
export const runs = (limit = 50) => get(`/api/runs?limit=${limit}`)

/** @param {number} id @returns {Promise<Account>} */
export const run = id => get(`/api/runs/${id}`)

/**
 * The games that a hunt has kept, one of each family, the best first; none for other runs.
 * @param {number} id @returns {Promise<{ finds: { score: number, moves: string[], found: string, meaning?: Meaning }[] }>}
 */
export const finds = id => get(`/api/runs/${id}/finds`)

/** @param {number} id @returns {Promise<Run>} */
export const pause = async id => (await post(`/api/runs/${id}/pause`, {})).json()

/** @param {number} id @returns {Promise<Run>} */
export const cancel = async id => (await post(`/api/runs/${id}/cancel`, {})).json()

/** @param {number} id @param {{ seconds?: number, playouts?: number }} more @returns {Promise<Live>} */
export const resume = async (id, more = {}) => (await post(`/api/runs/${id}/resume`, more)).json()

/** @param {number} id */
export const remove = id => ask(`/api/runs/${id}`, { method: 'DELETE' })

/** All runs and games as one file, and its name. */
export const packed = async () => saved(await ask('/api/pack'))

/** Adds the runs and games of such a file. @param {string} body @returns {Promise<{ runs: number, games: number, refused: string[] }>} */
export const unpack = async body => (await ask('/api/pack', { method: 'POST', body })).json()

/**
 * Where a game of a run comes from. A seed that numbers cannot hold here is left out, not rounded.
 * @param {{ search: string, seed: number }} run
 */
export const provenanceOf = ({ search, seed }) => ({ search, seed: Number.isSafeInteger(seed) ? seed : null })
