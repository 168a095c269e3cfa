// Help from short searches: a hint, and a game finished.

import * as api from './api.js'
import { button, html, part } from './dom.js'
import { complain, does, isNarrow, say } from './page.js'
import { words } from './words.js'

/** How long finishing a game may take, in seconds. */
const FINISH = 10

/** Milliseconds after which a search is shown: what is found at once is only played. */
const SOON = 350

/**
 * Who is helped: what is searched, and what is done with the moves that are found. `point` points at a move, or at nothing;
 * `promise` says what a hint leads to; `showMine` shows the game rather than a search.
 * @typedef {import('./watch.js').Subject & { isOver: () => boolean, play: (move: string) => void, extend: (moves: string[], search: string) => void,
 *   point: (move: string | null) => void, promise: (found: api.Hint) => string, showMine: () => void }} Helped
 */

/**
 * @param {Helped} helped
 * @param {import('./transport.js').Player} player
 * @param {import('./events.js').Searches} searches
 * @param {(run: api.Live) => void} follow shows a search that has begun
 * @param {() => void} rise brings the board into sight
 */
export function helpers(helped, player, searches, follow, rise) {
  const advice = part('advice')
  const hint = button('hint')
  const finish = button('finish')
  const quick = document.getElementById('quick-hint')
  /** @type {AbortController | null} */
  let asking = null
  /** The search that finishes the game, the game it goes on from, and whether it is shown. @type {{ run: api.Live, from: string, isShown: boolean } | null} */
  let finishing = null

  const here = () => `${helped.problem()} ${helped.moves().join()}`

  function clear() {
    asking?.abort()
    helped.point(null)
    advice.hidden = true
    advice.replaceChildren()
  }

  function usable() {
    hint.disabled = finish.disabled = helped.isOver()
    quick?.toggleAttribute('disabled', helped.isOver())
  }

  async function ask() {
    player.stop()
    clear()
    const before = here()
    asking = new AbortController()
    advice.hidden = false
    advice.replaceChildren(html('span', { class: 'busy' }, words('core.thinking-for-a-second')))
    try {
      const found = await api.hint(helped.problem(), helped.moves(), asking.signal)
      if (here() !== before) return
      helped.point(found.move)
      const play = html('button', { type: 'button', class: 'link', click: () => helped.play(found.move) }, words('core.do-it'))
      const promise = ` ${helped.promise(found)}. `
      advice.replaceChildren(html('strong', {}, found.move), promise, play)
      if (isNarrow()) say(`${found.move}${promise}`)
      rise()
    } catch (error) {
      if (error instanceof DOMException) return
      clear()
      complain(error)
    }
  }

  does(hint, ask)
  if (quick instanceof HTMLButtonElement) does(quick, ask)
  does(finish, async () => {
    player.stop()
    clear()
    const from = here()
    const run = await api.begin({ problem: helped.problem(), from: helped.moves(), seconds: FINISH })
    finishing = { run, from, isShown: false }
    setTimeout(() => finishing?.run === run && show(), SOON)
    const result = searches.results.get(run.id)
    if (result) finished(result)
  })

  function show() {
    if (!finishing || finishing.isShown) return
    finishing.isShown = true
    follow(finishing.run)
  }

  /** @param {import('./events.js').ResultEvent} result */
  function finished(result) {
    if (result.id !== finishing?.run.id) return
    show()
    const { from } = finishing
    finishing = null
    if (from !== here() || !result.complete) return
    helped.extend(result.moves.slice(helped.moves().length), result.search)
    helped.showMine()
    player.start()
  }

  searches.listen(news => {
    if (news.event === 'result') finished(news)
  })

  helped.listen(() => {
    clear()
    usable()
  })
  usable()
  return { hint: () => hint.click() }
}
