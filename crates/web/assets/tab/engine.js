// The engine in WebAssembly: calls go in and replies come out, each a line of JSON with bytes behind it (crates/wasm/src/calls.rs lists them).

import { surroundings } from './wasi.js'

/** @typedef {Record<string, any>} Header */
/** @typedef {{ header: Header, body: Uint8Array<ArrayBuffer> }} Message */

const NEWLINE = 10

export class Engine {
  /** @param {WebAssembly.Module} module */
  constructor(module) {
    /** @type {WebAssembly.Instance} */
    const instance = new WebAssembly.Instance(module, surroundings(module, () => this.exports.memory))
    this.exports = /** @type {{ memory: WebAssembly.Memory, _initialize?: () => void, room: (length: number) => number, call: () => number, reply: () => number }} */ (
      /** @type {unknown} */ (instance.exports))
    this.exports._initialize?.()
  }

  /** Carries out a call. @param {Header} header @param {Uint8Array} [body] @returns {Message} */
  call(header, body = new Uint8Array()) {
    const { exports } = this
    const line = new TextEncoder().encode(`${JSON.stringify(header)}\n`)
    const room = exports.room(line.length + body.length) >>> 0
    new Uint8Array(exports.memory.buffer).set(line, room)
    new Uint8Array(exports.memory.buffer).set(body, room + line.length)
    const length = exports.call() >>> 0
    // A copy: the next call takes the place of this reply.
    const reply = new Uint8Array(exports.memory.buffer, exports.reply() >>> 0, length).slice()
    const end = reply.indexOf(NEWLINE)
    return { header: JSON.parse(new TextDecoder().decode(reply.subarray(0, end))), body: reply.slice(end + 1) }
  }
}
