// One worker with an engine of its own. It carries out what it is told, in order, and knows nothing else.

import { Engine } from './engine.js'

/** @type {Engine | undefined} */
let engine

/** @param {MessageEvent<{ module?: WebAssembly.Module, number: number, header: import('./engine.js').Header, body?: Uint8Array }>} message */
onmessage = ({ data: { module, number, header, body } }) => {
  try {
    if (module) engine = new Engine(module)
    if (!engine) throw new Error('the worker has no engine')
    const reply = engine.call(header, body)
    postMessage({ number, ...reply }, { transfer: [reply.body.buffer] })
  } catch (error) {
    // The engine stands still in the middle of something: it must not be used any more.
    postMessage({ number, crash: error instanceof Error ? error.message : String(error) })
  }
}
