// What this browser keeps: runs, their checkpoints, and the best games that they found (IndexedDB).

/** @typedef {import('../core/api.js').Meaning} Meaning */
/**
 * @typedef {{ score: number, moves: string[], playouts: number, seconds: number, found: number, meaning?: Meaning }} Step
 * @typedef {{ score: number | null, moves: string[], complete: boolean, proven: boolean, stop: string, playouts: number, seconds: number,
 *   finished: number, meaning?: Meaning }} Result
 *
 * A run. `spec` is its specification as a text, and `kept` its result as the command line's store has it: pages would round their numbers.
 * `goes` says that it is to go on as long as a tab is open.
 * @typedef {{ id: number, spec: string, problem: string, search: string, seed: string, from: string[], minimise: boolean,
 *   budget: { seconds: number | null, playouts: number | null, target: number | null }, version: string, machine: string,
 *   started: number, worked: number, goes: boolean, done: boolean, seconds: number, playouts: number, moves: number,
 *   steps: Step[], result: Result | null, kept: string | null }} KeptRun
 *
 * How far a run is: the state of its search, and what had been spent.
 * @typedef {{ run: number, bytes: Uint8Array, seconds: number, playouts: number, moves: number }} Checkpoint
 *
 * @typedef {{ id?: number, problem: string, identity: string, score: number, worth: number, moves: string[], search: string, seed: string,
 *   run: number, found: number }} KeptGame
 */

/** How many games of a problem are kept. */
const FAME = 100

/** @type {Promise<IDBDatabase> | undefined} */
let opened

function database() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('nestling', 1)
    request.onupgradeneeded = () => {
      const made = request.result
      made.createObjectStore('runs', { keyPath: 'id', autoIncrement: true })
      made.createObjectStore('checkpoints', { keyPath: 'run' })
      const games = made.createObjectStore('games', { keyPath: 'id', autoIncrement: true })
      games.createIndex('problem', 'problem')
      games.createIndex('identity', ['problem', 'identity'], { unique: true })
    }
    request.onsuccess = () => {
      // Another tab may have a later version, or want to delete everything.
      request.result.onversionchange = () => (request.result.close(), (opened = undefined))
      // The browser may close it, too.
      request.result.onclose = () => (opened = undefined)
      resolve(request.result)
    }
    request.onerror = () => reject(new Error(`this browser keeps nothing here: ${request.error?.message}`))
    request.onblocked = () => reject(new Error('another tab has an older version of this page open; close it'))
  })
  opened.catch(() => (opened = undefined))
  return opened
}

/** @typedef {'runs' | 'checkpoints' | 'games'} Name */

/**
 * Reads or changes what is kept, whole or not at all.
 * @template T
 * @param {Name[]} names
 * @param {IDBTransactionMode} mode
 * @param {(store: (name: Name) => IDBObjectStore) => IDBRequest<T> | Promise<T>} work
 * @returns {Promise<T>}
 */
async function within(names, mode, work) {
  const transaction = (await database()).transaction(names, mode, { durability: 'strict' })
  const over = new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(undefined)
    transaction.onabort = () => reject(full(transaction.error))
  })
  over.catch(() => {})
  const working = work(name => transaction.objectStore(name))
  const value = working instanceof IDBRequest ? await answer(working) : await working
  await over
  return value
}

/** @param {DOMException | null} error */
const full = error =>
  new Error(error?.name === 'QuotaExceededError' ? 'this browser has no room left for Nestling; delete some runs' : `nothing could be kept: ${error?.message}`)

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const answer = request =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(full(request.error))
  })

/** Adds a run, and gives it its number. @param {Omit<KeptRun, 'id'>} run @returns {Promise<KeptRun>} */
export const add = async run => ({ ...run, id: Number(await within(['runs'], 'readwrite', store => store('runs').add(run))) })

/** A run; nothing if there is none of this number. @param {number} id @returns {Promise<KeptRun | undefined>} */
export const run = id => within(['runs'], 'readonly', store => store('runs').get(id))

/** All runs, the newest first. @returns {Promise<KeptRun[]>} */
export const runs = async () => (await within(['runs'], 'readonly', store => store('runs').getAll())).reverse()

/** The checkpoint of a run. @param {number} run @returns {Promise<Checkpoint | undefined>} */
export const checkpoint = run => within(['checkpoints'], 'readonly', store => store('checkpoints').get(run))

/**
 * Keeps a run as it is now, and perhaps a new checkpoint; null removes the one that there is. A run that was deleted stays deleted.
 * @param {KeptRun} run @param {Checkpoint | null} [checkpoint]
 */
export const keep = (run, checkpoint) =>
  within(['runs', 'checkpoints'], 'readwrite', async store => {
    if ((await answer(store('runs').getKey(run.id))) === undefined) return
    store('runs').put(run)
    if (checkpoint) store('checkpoints').put(checkpoint)
    if (checkpoint === null) store('checkpoints').delete(run.id)
  })

/** Removes a run; its games stay. @param {number} id */
export const remove = id =>
  within(['runs', 'checkpoints'], 'readwrite', async store => {
    store('runs').delete(id)
    store('checkpoints').delete(id)
  })

/** The games of a problem, or of all, the best first. @param {string | null} problem @returns {Promise<KeptGame[]>} */
export async function games(problem) {
  const found = await within(['games'], 'readonly', store =>
    problem === null ? store('games').getAll() : store('games').index('problem').getAll(problem))
  return found.sort((one, other) => other.worth - one.worth || one.id - other.id)
}

/** Keeps a game unless it is kept already, or enough better ones are. @param {KeptGame} game */
export const addGame = game =>
  within(['games'], 'readwrite', async store => {
    const all = store('games')
    if ((await answer(all.index('identity').getKey([game.problem, game.identity]))) !== undefined) return
    /** @type {KeptGame[]} */
    const others = await answer(all.index('problem').getAll(game.problem))
    if (others.length >= FAME) {
      const least = others.reduce((one, other) => (other.worth < one.worth ? other : one))
      if (least.worth >= game.worth) return
      all.delete(least.id ?? 0)
    }
    all.add(game)
  })
