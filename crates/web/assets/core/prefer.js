// What a person has chosen, kept in the browser. A browser that keeps nothing loses nothing but this.

/** @param {Storage} storage */
const keeper = storage => ({
  /** @template T @param {string} key @param {T} otherwise @returns {T} */
  get(key, otherwise) {
    try {
      const kept = storage.getItem(`nestling.${key}`)
      return kept === null ? otherwise : JSON.parse(kept)
    } catch {
      return otherwise
    }
  },
  /** @param {string} key @param {unknown} value */
  set(key, value) {
    try {
      storage.setItem(`nestling.${key}`, JSON.stringify(value))
    } catch {
      // Full, or forbidden.
    }
  },
})

/** For all pages. */
export const choices = keeper(localStorage)

/** For this tab: two tabs are two games. */
export const tab = keeper(sessionStorage)
