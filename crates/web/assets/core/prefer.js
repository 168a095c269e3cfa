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

const session = keeper(sessionStorage)

/** What a tab has on a page, and when it was written. @typedef {{ at: number, values: Record<string, unknown> }} Left */

/** How many tabs that were closed are remembered, for each page. */
const MOST = 8

/** This tab has it until it is closed. */
const mine = session.get('tab', '') || `${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`
session.set('tab', mine)

/** Before the names of what tabs have on this page; the number of the tab follows. */
const LEFT = `left ${location.pathname} `

const lockOf = (/** @type {string} */ tab) => `nestling-tab-${tab}`

/** What other tabs have left on this page, the latest first. @param {(tab: string) => boolean} isOpen @returns {[string, Left][]} */
function leftBy(isOpen) {
  try {
    const begin = `nestling.${LEFT}`
    const tabs = Object.keys(localStorage).filter(key => key.startsWith(begin)).map(key => key.slice(begin.length))
    return tabs.filter(tab => tab !== mine && !isOpen(tab))
      .map(tab => /** @type {[string, Left]} */ ([tab, choices.get(LEFT + tab, { at: 0, values: {} })]))
      .sort(([, one], [, other]) => other.at - one.at)
  } catch {
    return []
  }
}

/** Takes over what the tab had that was closed last. */
async function takeOver() {
  // Without locks (an address without https) it is not known which tabs are open: then all count as closed.
  const open = new Set((await navigator.locks?.query())?.held?.map(({ name }) => name))
  const [latest, ...others] = leftBy(tab => open.has(lockOf(tab)))
  if (!latest) return
  const [tab, left] = latest
  for (const [key, value] of Object.entries(left.values)) session.set(key, value)
  choices.set(LEFT + mine, left)
  for (const old of [tab, ...others.slice(MOST).map(([tab]) => tab)]) localStorage.removeItem(`nestling.${LEFT}${old}`)
}

// Every open tab holds its lock.
navigator.locks?.request(lockOf(mine), () => new Promise(() => {})).catch(() => {})
// Not where this tab was before, and not where the address has a game.
if (choices.get(LEFT + mine, null) === null && location.hash === '') await takeOver().catch(() => {})

/** For this tab: two tabs are two games. A tab that is opened later goes on where one was closed. */
export const tab = {
  get: session.get,
  /** @param {string} key @param {unknown} value */
  set(key, value) {
    session.set(key, value)
    const { values } = choices.get(LEFT + mine, /** @type {Left} */ ({ at: 0, values: {} }))
    choices.set(LEFT + mine, { at: Date.now(), values: { ...values, [key]: value } })
  },
}
