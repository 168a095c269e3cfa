// A worker, as the page sees it: calls that are answered some time later.

import { hasPage } from '../core/address.js'

/** @typedef {import('./engine.js').Header} Header */
/** @typedef {import('./engine.js').Message} Message */

/** How long a worker may be silent while it carries out a call that is short by itself. */
const PATIENCE = 60_000

/** A worker that broke down: whatever it was at can be done again by another. */
export class Crash extends Error {}

/** @param {URL} address */
async function compile(address) {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`the engine cannot be loaded: status ${response.status} for ${address.pathname}`)
  // Not every file server knows what kind of file it is.
  const isKnown = response.headers.get('Content-Type') === 'application/wasm'
  return isKnown ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer())
}

/** The engine with the problems that have a page of their own, and the one with all, which is twice as large. @typedef {'nestling' | 'others'} Name */

/** The engine that has all of these problems. @param {string[]} problems @returns {Name} */
export const engineWith = (...problems) => problems.every(hasPage) ? 'nestling' : 'others'

/** The problem of a specification, which may be nonsense. @param {string} spec */
export function problemOf(spec) {
  try {
    return String(JSON.parse(spec).problem)
  } catch {
    return ''
  }
}

/** The engines, compiled once for all workers. @type {Map<Name, Promise<WebAssembly.Module>>} */
const compiled = new Map()

/** @param {Name} name @returns {Promise<WebAssembly.Module>} */
function engine(name) {
  let module = compiled.get(name)
  if (!module) {
    module = compile(new URL(`../${name}.wasm`, import.meta.url))
    module.catch(() => compiled.delete(name))
    compiled.set(name, module)
  }
  return module
}

export class Remote {
  /** @param {Name} name of its engine */
  constructor(name) {
    this.name = name
    /** @type {Worker | undefined} */
    this.worker = undefined
    /** @type {Map<number, { resolve: (reply: Message) => void, reject: (error: Error) => void, timer: ReturnType<typeof setTimeout> | undefined }>} */
    this.waiting = new Map()
    this.number = 0
    this.isOver = false
  }

  /** @param {Header} header @param {{ body?: Uint8Array | undefined, patience?: number }} [more] @returns {Promise<Message>} */
  async call(header, { body, patience = PATIENCE } = {}) {
    const module = this.worker ? undefined : await engine(this.name)
    if (this.isOver) throw new Crash('the worker has ended')
    const worker = this.worker ??= this.#start()
    const reply = await /** @type {Promise<Message>} */ (new Promise((resolve, reject) => {
      const number = ++this.number
      const silent = () => this.#crash('a worker does not answer any more')
      const timer = Number.isFinite(patience) ? setTimeout(silent, patience) : undefined
      this.waiting.set(number, { resolve, reject, timer })
      worker.postMessage({ number, header, body, module: number === 1 ? module : undefined })
    }))
    if (typeof reply.header['error'] === 'string') throw new Error(reply.header['error'])
    return reply
  }

  #start() {
    const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
    worker.onmessage = ({ data }) => {
      const waiting = this.waiting.get(data.number)
      this.waiting.delete(data.number)
      clearTimeout(waiting?.timer)
      if (data.crash !== undefined) {
        waiting?.reject(new Crash(data.crash))
        this.#crash(data.crash)
      } else waiting?.resolve({ header: data.header, body: data.body })
    }
    worker.onerror = event => this.#crash(event.message ?? 'a worker broke down')
    worker.onmessageerror = () => this.#crash('a worker sent what cannot be read')
    return worker
  }

  /** @param {string} reason */
  #crash(reason) {
    this.isOver = true
    this.worker?.terminate()
    for (const { reject, timer } of this.waiting.values()) {
      clearTimeout(timer)
      reject(new Crash(reason))
    }
    this.waiting.clear()
  }

  /** Ends the worker, whatever it is at. */
  end() {
    this.#crash('the worker was ended')
  }
}
