// Runs a program compiled for WebAssembly (wasm32-wasip1) in Node, such as Morpion's example hot_paths, which plays with one set of
// instructions.
//
//   node --no-liftoff crates/wasm/wasi.mjs hot_paths.wasm uniform simd128 1000000

import { readFileSync } from 'node:fs'
import { WASI } from 'node:wasi'

const [file, ...words] = process.argv.slice(2)
const wasi = new WASI({ version: 'preview1', args: [file, ...words], env: process.env, returnOnExit: true })
const { instance } = await WebAssembly.instantiate(readFileSync(file), wasi.getImportObject())
process.exitCode = wasi.start(instance)
