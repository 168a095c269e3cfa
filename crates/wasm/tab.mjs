// Makes runs and matches with the engine in Node, as the workers of a page make them (one engine drives, others make the tasks), and on the
// command line: same search, seed and playouts, same games. With --speed: playouts a second here, beside one thread of the command line.
//
//   node crates/wasm/tab.mjs FOLDER PROGRAM [--speed]
//
// where scripts/engine has written the folder.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Engine } from '../web/assets/tab/engine.js'

const [folder, program, what] = process.argv.slice(2)
const [module, others] = ['nestling.wasm', 'others.wasm'].map(name => new WebAssembly.Module(readFileSync(`${folder}/${name}`)))

const RUNS = [
  { problem: 'morpion-5d', search: 'repeat(nrpa(2))', playouts: 2_000 },
  { problem: 'morpion-5d', search: 'repeat(5000, playout)', playouts: 5_000 },
  { problem: 'morpion-5d', search: 'uct(2000, trees=2)', playouts: 4_000 },
  { problem: 'samegame:seed=1,size=10x10', search: 'repeat(nested(1))', playouts: 2_000 },
  { problem: 'sudoku:seed=3', search: 'repeat(nested(1))', playouts: 300 },
  { problem: 'tsptw:places=20,seed=1', search: 'repeat(improve(playout))', playouts: 2_000 },
  { problem: 'tsptw:places=20,seed=1', search: 'repeat(nrpa(2))', playouts: 3_000 },
  { problem: 'snake:5', search: 'repeat(nrpa(2))', playouts: 3_000 },
]

/** The problems that the first engine has. */
const FIRST = new Engine(module).call({ call: 'about' }).header.problems

/** The engine that pages load for a problem. */
const engineWith = problem => new Engine(FIRST.includes(problem.split(':')[0]) ? module : others)

const MATCHES = [
  { problem: 'quarto', players: ['uct(200)', 'second'], games: 20 },
  { problem: 'quarto:squares', players: ['uct(200)', 'random'], games: 20 },
]

const SEED = 7

/** A call whose error is one of this program. */
function call(engine, header, body) {
  const reply = engine.call(header, body)
  if (reply.header.error) throw new Error(reply.header.error)
  return reply
}

/** A run by so many workers, each making a step of its tasks in turn: tasks end in another order than they begin. */
function run(order, count, seconds = 0.002, together = 3) {
  const driver = engineWith(order.problem)
  call(driver, { call: 'begin', spec: JSON.stringify({ ...order, seed: SEED }), workers: count })
  const makers = Array.from({ length: count }, () => ({ engine: engineWith(order.problem), isBusy: false }))
  for (let isOver = false; !isOver; ) {
    for (const [place, maker] of makers.entries()) {
      const step = { seconds: seconds * (place + 1), by: `worker ${place}` }
      let made
      if (!maker.isBusy) {
        const next = call(driver, { call: 'next', wants: together })
        isOver ||= next.header.over
        if (next.header.parcels.length === 0) continue
        made = call(maker.engine, { call: 'tasks', tasks: next.header.parcels, ...step }, next.body)
      } else made = call(maker.engine, { call: 'step', ...step })
      maker.isBusy = !made.header.over
      if (maker.isBusy) continue
      isOver ||= call(driver, { call: 'next', taken: made.header.parcels }, made.body).header.over
    }
  }
  return call(driver, { call: 'outcome', seconds: 0 }).header
}

/** The last object that a command prints. Exit code 1 says that a puzzle is not solved. */
function here(words) {
  const { status, stdout, stderr } = spawnSync(program, [...words, '--seed', String(SEED), '--json'], { encoding: 'utf8' })
  if (status !== 0 && status !== 1) throw new Error(`${program} ${words.join(' ')}: ${stderr}`)
  return JSON.parse(stdout.trimEnd().split('\n').at(-1))
}

/** A run on the command line. */
const runHere = ({ problem, search, playouts }, more = []) =>
  here(['solve', problem, '-s', search, '--playouts', String(playouts), '--quiet', '--no-store', ...more])

const pick = (object, names) => JSON.stringify(Object.fromEntries(names.map(name => [name, object[name]])))

function same(name, results, names) {
  const [expected, ...others] = results.map(result => pick(result, names))
  if (others.some(other => other !== expected)) throw new Error(`${name}: ${[expected, ...others].join('\n')}`)
  console.log(`the same: ${name}`)
}

function compare() {
  for (const order of RUNS) {
    const names = ['score', 'moves', 'stop', 'playouts', 'playout_moves', 'proven', 'complete']
    same(`${order.search} on ${order.problem}`, [runHere(order), run(order, 1), run(order, 2)], names)
  }
  for (const order of MATCHES) {
    const names = ['wins', 'draws', 'losses', 'going_first', 'going_second']
    const { problem, players, games } = order
    const there = call(engineWith(problem), { call: 'match', ...order, seed: SEED }).header
    same(`${players.join(' against ')}, ${games} games of ${problem}`, [here(['match', problem, ...players, '--games', String(games)]), there], names)
  }
}

/** One engine makes its tasks without a pause, in turns with the command line, so that a busy machine slows both. */
function speed() {
  // As many tasks at once as a page gives a worker: those of a short search, and one of a long one, of which no second is needed here.
  const orders = [
    { together: 512, problem: 'morpion-5d', search: 'repeat(400000, playout)', playouts: 400_000 },
    { together: 1, problem: 'morpion-5d', search: 'repeat(nrpa(3))', playouts: 60_000 },
    { together: 16, problem: 'samegame:seed=1', search: 'repeat(nested(1))', playouts: 60_000 },
    { together: 1, problem: 'tsptw:places=20,seed=1', search: 'repeat(nrpa(3))', playouts: 60_000 },
  ]
  const measured = ({ together, ...order }) => run(order, 1, 0.1, together)
  measured(orders[0])
  for (const { together, ...order } of orders) {
    const ratios = [1, 2, 3].map(() => {
      const began = performance.now()
      const { playouts } = measured({ together, ...order })
      const there = (1000 * playouts) / (performance.now() - began)
      const native = runHere(order, ['--threads', '1'])
      return { there, native: native.playouts / native.seconds }
    })
    const [middle] = ratios.sort((one, other) => one.there / one.native - other.there / other.native).slice(1)
    console.log(`${order.search} on ${order.problem}: ${Math.round(middle.there)} playouts a second in WebAssembly, ${Math.round(middle.native)} on the command line, ratio ${(middle.there / middle.native).toFixed(2)}`)
  }
}

if (what === '--speed') speed()
else compare()
