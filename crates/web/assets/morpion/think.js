// Help from short searches: a hint, and a game finished.

import * as api from '../core/api.js'
import { button, html, part } from '../core/dom.js'
import { complain, does, isNarrow, say } from '../core/page.js'
import { plural } from '../core/text.js'
import { read, write } from './notation.js'

/** @typedef {import('./game.js').Game} Game */

/** How long finishing a game may take, in seconds. */
const FINISH = 10

/**
 * @param {import('./board.js').Board} board
 * @param {Game} game
 * @param {import('./controls.js').Player} player
 * @param {import('../core/events.js').Searches} searches
 * @param {(run: api.Live) => void} follow shows a search that has begun
 * @param {() => void} rise brings the board into sight
 */
export function helpers(board, game, player, searches, follow, rise) {
  const advice = part('advice')
  const hint = button('hint')
  const finish = button('finish')
  /** @type {AbortController | null} */
  let asking = null
  /** The search that finishes the game: its number, and the game it goes on from. @type {{ id: number, from: string } | null} */
  let finishing = null

  function clear() {
    asking?.abort()
    board.showHint(null, 0)
    advice.hidden = true
    advice.replaceChildren()
  }

  function usable() {
    hint.disabled = finish.disabled = button('quick-hint').disabled = game.isOver
  }

  async function ask() {
    player.stop()
    clear()
    const { variant, at } = game
    asking = new AbortController()
    advice.hidden = false
    advice.replaceChildren(html('span', { class: 'busy' }, 'Thinking for a second …'))
    try {
      const moves = game.played.map(move => write(variant, move))
      const found = await api.hint(variant.problem, moves, asking.signal)
      if (game.variant !== variant || game.at !== at) return
      const move = read(variant, found.move)
      board.showHint(move, variant.length)
      const play = html('button', { type: 'button', class: 'link', click: () => game.play(move) }, 'Draw it')
      const promise = ` leads to ${plural(found.score, 'move')}, the best of ${plural(found.playouts, 'playout')}. `
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
  does(button('quick-hint'), ask)
  does(finish, async () => {
    player.stop()
    clear()
    const { variant } = game
    const from = game.played.map(move => write(variant, move))
    const run = await api.begin({ problem: variant.problem, from, seconds: FINISH })
    finishing = { id: run.id, from: `${variant.name} ${from.join()}` }
    follow(run)
  })

  searches.listen(news => {
    if (news.event !== 'result' || news.id !== finishing?.id) return
    const { from } = finishing
    finishing = null
    const { variant } = game
    const isSame = from === `${variant.name} ${game.played.map(move => write(variant, move)).join()}`
    if (!isSame || !news.complete) return
    game.extend(news.moves.slice(game.at).map(text => read(variant, text)))
    dispatchEvent(new CustomEvent('show-mine'))
    player.start()
  })

  game.listen(() => {
    clear()
    usable()
  })
  usable()
  return { hint: () => hint.click() }
}
