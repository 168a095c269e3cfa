// What every move is worth, where somebody wants to know; and hints.

import * as api from '../core/api.js'
import { button, html, input, part } from '../core/dom.js'
import { announce, complain, does } from '../core/page.js'
import { choices } from '../core/prefer.js'
import { words } from '../core/words.js'
import { problemOf, read, write } from './notation.js'
import { reasons, threats, whyItLoses } from './reasons.js'
import { Position } from './rules.js'

/**
 * @param {import('./game.js').Game} game
 * @param {import('./table.js').Table} table
 * @param {import('./seats.js').Seats} seats
 */
export function analysis(game, table, seats) {
  const [toggle, advice] = [input('analyse'), part('advice')]
  /** @type {AbortController | null} */
  let asking = null

  toggle.checked = choices.get('quarto-analysis', false)
  part('legend').hidden = !toggle.checked
  toggle.onchange = () => {
    choices.set('quarto-analysis', toggle.checked)
    part('legend').hidden = !toggle.checked
    void weigh()
  }

  const value = (/** @type {api.Opinion[]} */ opinions) => {
    const exact = opinions.filter(opinion => opinion.verdict !== null)
    const wins = exact.filter(({ verdict }) => verdict === 'win').map(opinion => opinion.in ?? 0)
    if (wins.length > 0) return words('quarto.can-win-in', { who: who(), moves: Math.min(...wins) })
    if (exact.length < opinions.length) return words('quarto.not-known-yet')
    if (exact.some(({ verdict }) => verdict === 'draw')) return words('quarto.is-a-draw')
    return words('quarto.loses', { who: who(), moves: Math.max(...exact.map(opinion => opinion.in ?? 0)) })
  }
  const who = () => {
    const name = seats.name(game.position.turn)
    return name.slice(0, 1).toUpperCase() + name.slice(1)
  }

  async function weigh() {
    asking?.abort()
    table.mark([])
    part('standing').textContent = ''
    if (!toggle.checked || game.position.isOver || seats.isThinking) return
    asking = new AbortController()
    part('standing').textContent = words('quarto.solving')
    try {
      const { opinions } = await api.analysis(problemOf(game.squares), write(game.played), asking.signal)
      table.mark(opinions)
      table.explain(piece => whyItLoses(game.position, piece))
      part('standing').textContent = value(opinions)
    } catch (error) {
      if (error instanceof DOMException) return
      part('standing').textContent = ''
      complain(error)
    }
  }

  async function hint() {
    if (!game.isPersons) return
    const { at } = game
    advice.hidden = false
    advice.replaceChildren(html('span', { class: 'busy' }, words('quarto.thinking')))
    try {
      const reply = await api.reply(problemOf(game.squares), write(game.played), null, new AbortController().signal)
      if (game.at !== at) return
      const move = read([...write(game.played), reply.move]).pop() ?? null
      table.point(move)
      const opinion = reply.opinions.find(opinion => opinion.move === reply.move)
      const text = `${reply.move}${why(opinion)}`
      const play = html('button', { type: 'button', class: 'link', click: () => move !== null && game.play(move) }, words('core.do-it'))
      const position = game.position
      const because = move === null ? [] : reasons(position, move, new Position(game.squares, [...game.played, move]))
      table.threaten(threats(position))
      advice.replaceChildren(html('strong', {}, reply.move), `${why(opinion)}. ${because.join(' ')} `, play)
      announce(`${words('shared.hint')}: ${text}. ${because.join(' ')}`)
    } catch (error) {
      advice.hidden = true
      complain(error)
    }
  }

  /** @param {api.Opinion | undefined} opinion */
  function why(opinion) {
    if (!opinion) return `, ${words('quarto.the-only-move')}`
    if (opinion.verdict === 'win') return ` ${words('quarto.wins-against-any-play')}`
    if (opinion.verdict === 'loss') return `, ${words('quarto.every-move-loses')}`
    return opinion.verdict === 'draw' ? ` ${words('quarto.keeps-the-draw')}` : `, ${words('quarto.worth-to-the-search', { points: Math.round(100 * opinion.value) })}`
  }

  does(button('hint'), hint)
  game.listen(() => {
    table.point(null)
    table.threaten([])
    advice.hidden = true
    button('hint').disabled = !game.isPersons
    void weigh()
  })
  return { hint: () => button('hint').click(), toggle: () => toggle.click() }
}
