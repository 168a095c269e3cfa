// What the engine asks of its surroundings: the time, random numbers, and somewhere to complain (WASI, preview 1). It gets nothing else:
// there are no files and no network.

/** "Function not supported", "bad file descriptor" and "no such file". */
const [UNSUPPORTED, NO_DESCRIPTOR, NO_FILE] = [52, 8, 44]

/**
 * What a module imports.
 * @param {WebAssembly.Module} module
 * @param {() => WebAssembly.Memory} memory that of the instance, once there is one
 */
export function surroundings(module, memory) {
  const view = () => new DataView(memory().buffer)
  const bytes = (/** @type {number} */ at, /** @type {number} */ length) => new Uint8Array(memory().buffer, at, length)
  /** @type {Record<string, (...numbers: any[]) => number>} */
  const offered = {
    clock_time_get(/** @type {number} */ clock, _precision, /** @type {number} */ at) {
      // The clock on the wall is the first, the others never go back.
      const milliseconds = clock === 0 ? Date.now() : performance.now()
      view().setBigUint64(at, BigInt(Math.round(milliseconds * 1e6)), true)
      return 0
    },
    random_get(/** @type {number} */ at, /** @type {number} */ length) {
      for (let from = 0; from < length; from += 65_536) crypto.getRandomValues(bytes(at + from, Math.min(65_536, length - from)))
      return 0
    },
    environ_sizes_get(/** @type {number} */ count, /** @type {number} */ size) {
      view().setUint32(count, 0, true)
      view().setUint32(size, 0, true)
      return 0
    },
    environ_get: () => 0,
    sched_yield: () => 0,
    // There are no folders.
    fd_prestat_get: () => NO_DESCRIPTOR,
    path_filestat_get: () => NO_FILE,
    path_open: () => NO_FILE,
    fd_write(_file, /** @type {number} */ pieces, /** @type {number} */ count, /** @type {number} */ written) {
      let [text, total] = ['', 0]
      for (let piece = 0; piece < count; piece++) {
        const [at, length] = [view().getUint32(pieces + 8 * piece, true), view().getUint32(pieces + 8 * piece + 4, true)]
        text += new TextDecoder().decode(bytes(at, length).slice())
        total += length
      }
      view().setUint32(written, total, true)
      console.warn(text.trimEnd())
      return 0
    },
    proc_exit(/** @type {number} */ code) {
      throw new Error(`the engine ended with code ${code}`)
    },
  }
  /** @type {WebAssembly.Imports} */
  const imports = {}
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    const wanted = (imports[from] ??= {})
    wanted[name] = offered[name] ?? (() => UNSUPPORTED)
  }
  return imports
}
