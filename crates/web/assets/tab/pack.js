// All that this browser keeps, as one file that the command line reads (`nestling runs unpack`), and such files read again. Each line is a
// run or a game; specifications and results are texts in it, because pages would round their seeds.

import * as kept from './kept.js'

/** The first line. */
const HEADER = '{"nestling":"runs","format":1}'

/** @typedef {(header: import('./engine.js').Header) => Promise<import('./engine.js').Message>} Call */

/** @param {Uint8Array} bytes */
function text64(bytes) {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(text)
}

/** @param {string} text */
const bytes64 = text => Uint8Array.from(atob(text), letter => letter.charCodeAt(0))

/** Everything as a file. */
export async function pack() {
  const lines = [HEADER]
  for (const run of (await kept.runs()).reverse()) {
    const { spec, version, machine, started, worked, done, seconds, playouts } = run
    const left = await kept.checkpoint(run.id)
    const improvements = run.steps.map(({ moves, playouts, seconds, found }) => ({ moves, playouts, seconds, found }))
    const checkpoints = left ? [{ bytes: text64(left.bytes), seconds: left.seconds, playouts: left.playouts, moves: left.moves }] : []
    const outcomes = run.kept && run.result ? [{ outcome: run.kept, finished: run.result.finished }] : []
    lines.push(JSON.stringify({ run: { spec, version, machine, started, worked, done, seconds, playouts, improvements, checkpoints, outcomes } }))
  }
  for (const { problem, moves, search, seed, found } of await kept.games(null)) lines.push(JSON.stringify({ game: { problem, moves, search, seed, found } }))
  return `${lines.join('\n')}\n`
}

/**
 * Adds what a file has. Every game is verified by the rules. Of a run that is kept already the version that is further stays.
 * @param {string} text @param {Call} call asks the engine @param {Set<number>} busy runs that some tab makes
 * @returns {Promise<{ runs: number, games: number, refused: string[] }>}
 */
export async function unpack(text, call, busy) {
  const [header, ...lines] = text.trimEnd().split('\n')
  if (header !== HEADER) throw new Error('this is not a file of runs; `nestling runs pack` writes one')
  const added = { runs: 0, games: 0, refused: /** @type {string[]} */ ([]) }
  for (const [index, line] of lines.entries()) {
    try {
      const { run, game } = JSON.parse(line)
      if (run) added.runs += Number(await addRun(run, call, busy))
      if (game) {
        await addGame(game, call)
        added.games += 1
      }
    } catch (error) {
      added.refused.push(`line ${index + 2}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return added
}

/**
 * A game that the rules have verified, as it is kept.
 * @param {{ problem: string, moves: string[], search: string, seed: string, found: number }} game @param {number} run @param {Call} call
 */
async function verified({ problem, moves, search, seed, found }, run, call) {
  const { header } = await call({ call: 'verify', problem, moves })
  const { score, identity, minimise, meaning } = /** @type {any} */ (header)
  const game = { problem: header['problem'], identity, score, worth: minimise ? -score : score, moves, search, seed: String(seed), run, found }
  return { game, meaning }
}

/** @param {Parameters<typeof verified>[0]} game @param {Call} call */
const addGame = async (game, call) => kept.addGame((await verified(game, 0, call)).game)

/** @param {any} packed @param {Call} call @param {Set<number>} busy */
async function addRun(packed, call, busy) {
  const outcome = packed.outcomes[0]?.outcome ?? null
  const { header } = await call({ call: 'describe', spec: packed.spec, outcome })
  const { spec, problem, search, seed, from, minimise, budget, result } = /** @type {any} */ (header)
  const known = (await kept.runs()).find(run =>
    run.started === packed.started && run.problem === problem && run.search === search && run.seed === seed && run.from.join() === from.join())
  const left = packed.checkpoints[0]
  // What a file only claims, and has no checkpoint or result for, cannot be continued.
  const reached = Math.max(left?.playouts ?? 0, result?.playouts ?? 0)
  const isFurther = !known || (known.done === packed.done ? reached > known.playouts : packed.done)
  if (!isFurther) return false
  if (known && busy.has(known.id)) throw new Error(`run ${known.id} is running; pause it first`)
  /** @type {kept.Step[]} */
  const steps = []
  const games = []
  for (const { moves, playouts, seconds, found } of packed.improvements) {
    const { game, meaning } = await verified({ problem, moves, search, seed, found }, 0, call)
    games.push(game)
    steps.push({ score: game.score, moves, playouts, seconds, found, ...(meaning && { meaning }) })
  }
  const { version, machine, started, worked, done, seconds, playouts } = packed
  const bytes = left && bytes64(left.bytes)
  /** @type {Omit<kept.KeptRun, 'id'>} */
  const fresh = {
    spec, problem, search, seed, from, minimise, budget, version, machine, started, worked, goes: false, done, seconds, playouts,
    moves: left?.moves ?? 0, steps, kept: outcome, result: result ? { ...resultOf(result), finished: packed.outcomes[0].finished } : null,
  }
  const run = known ? { ...fresh, id: known.id } : await kept.add(fresh)
  for (const game of games) await kept.addGame({ ...game, run: run.id })
  await kept.keep(run, left ? { run: run.id, bytes, seconds: left.seconds, playouts: left.playouts, moves: left.moves } : null)
  return true
}

/** What a page keeps of a result. @param {any} result */
const resultOf = ({ score, moves, complete, proven, stop, playouts, seconds, meaning }) =>
  ({ score, moves, complete, proven, stop, playouts, seconds, meaning })
