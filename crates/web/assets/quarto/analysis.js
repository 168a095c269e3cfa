// What every move is worth, where somebody wants to know; and hints.

import * as api from '../core/api.js'
import { button, html, input, part } from '../core/dom.js'
import { announce, complain, does } from '../core/page.js'
import { choices } from '../core/prefer.js'
import { problemOf, read, write } from './notation.js'

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
    if (wins.length > 0) return `${who()} can win in ${Math.min(...wins)}.`
    if (exact.length < opinions.length) return 'Not known yet: some moves are not solved.'
    if (exact.some(({ verdict }) => verdict === 'draw')) return 'With best play this is a draw.'
    return `${who()} loses against best play: the best moves lose in ${Math.max(...exact.map(opinion => opinion.in ?? 0))}.`
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
    part('standing').textContent = 'Solving …'
    try {
      const { opinions } = await api.analysis(problemOf(game.squares), write(game.played), asking.signal)
      table.mark(opinions)
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
    advice.replaceChildren(html('span', { class: 'busy' }, 'Thinking …'))
    try {
      const reply = await api.reply(problemOf(game.squares), write(game.played), null, new AbortController().signal)
      if (game.at !== at) return
      const move = read([...write(game.played), reply.move]).pop() ?? null
      table.point(move)
      const opinion = reply.opinions.find(opinion => opinion.move === reply.move)
      const text = `${reply.move}${why(opinion)}`
      const play = html('button', { type: 'button', class: 'link', click: () => move !== null && game.play(move) }, 'Do it')
      advice.replaceChildren(html('strong', {}, reply.move), `${why(opinion)}. `, play)
      announce(`Hint: ${text}`)
    } catch (error) {
      advice.hidden = true
      complain(error)
    }
  }

  /** @param {api.Opinion | undefined} opinion */
  function why(opinion) {
    if (!opinion) return ', the only move'
    if (opinion.verdict === 'win') return ' wins against any play'
    if (opinion.verdict === 'loss') return ', though every move loses against best play'
    return opinion.verdict === 'draw' ? ' keeps the draw' : `, worth ${Math.round(100 * opinion.value)} of 100 points to the search`
  }

  does(button('hint'), hint)
  game.listen(() => {
    table.point(null)
    advice.hidden = true
    button('hint').disabled = !game.isPersons
    void weigh()
  })
  return { hint: () => button('hint').click(), toggle: () => toggle.click() }
}
