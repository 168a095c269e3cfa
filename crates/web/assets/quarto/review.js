// A game of Quarto, reviewed: exact values where the solver has them, else what a search expects.

import * as api from '../core/api.js'
import { Review } from '../core/review.js'
import { words } from '../core/words.js'
import { problemOf, read, write } from './notation.js'
import { Position } from './rules.js'

/** @typedef {import('../core/review.js').Value} Value */

/** What exact opinions are worth to whoever moves. */
const WORTH = { win: 1, draw: 0, loss: -1 }

/** @param {api.Opinion} opinion */
const worth = ({ verdict, value }) => (verdict === null ? 2 * value - 1 : WORTH[verdict])

/** @param {number} value in the eyes of whoever moves */
const inWords = value => (value > 0.99 ? words('quarto.a-win') : value < -0.99 ? words('quarto.a-loss') : Math.abs(value) < 0.01 ? words('quarto.drawn') : words('quarto.points-of-100', { points: Math.round(50 * value + 50) }))

/**
 * @param {import('./game.js').Game} game
 * @param {import('./seats.js').Seats} seats
 */
export function review(game, seats) {
  /** The best move of each position, by the number of moves made. @type {Map<number, string>} */
  const best = new Map()
  const side = (/** @type {number} */ at) => (new Position(game.squares, game.moves.slice(0, at)).turn === 0 ? 1 : -1)

  /** @param {string[]} moves @param {number} at @param {Value | undefined} later @param {AbortSignal} signal @returns {Promise<Value>} */
  async function judge(moves, at, later, signal) {
    const position = new Position(game.squares, read(moves.slice(0, at)))
    if (position.isOver) return { at, value: position.winner === null ? 0 : position.winner === 0 ? 1 : -1, exact: true }
    const { opinions } = await api.analysis(problemOf(game.squares), moves.slice(0, at), signal)
    const sign = position.turn === 0 ? 1 : -1
    const top = opinions.reduce((top, opinion) => (worth(opinion) > worth(top) ? opinion : top))
    best.set(at, top.move)
    const exact = top.verdict === 'win' || opinions.every(({ verdict }) => verdict !== null)
    // A move that was made and wins wins before it was made, too.
    if (!exact && later?.exact && later.value === sign) return { at, value: sign, exact: true }
    return { at, value: sign * worth(top), exact }
  }

  /** The moves after which the game was worth less to those who made them. @param {Value[]} values */
  function turns(values) {
    return values.flatMap((before, index) => {
      const after = values[index + 1]
      if (!after) return []
      const sign = side(before.at)
      const loss = sign * (before.value - after.value)
      if (loss < (before.exact && after.exact ? 0.5 : 0.8)) return []
      const move = write(game.moves)[before.at] ?? ''
      const instead = best.get(before.at)
      const other = instead && instead !== move && before.exact ? `; ${words('quarto.would-have-kept-it', { move: instead })}` : ''
      return [{ at: before.at, text: words('quarto.turn', { at: before.at + 1, move, who: seats.name(sign === 1 ? 0 : 1), before: inWords(sign * before.value), after: inWords(sign * after.value), other }) }]
    })
  }

  return new Review({
    moves: () => write(game.moves), at: () => game.at, go: at => game.go(at), isReady: () => game.position.isOver && game.moves.length > 0,
    caption: words('quarto.review-caption'), label: words('quarto.review-label'), range: () => [-1, 1],
    tick: value => words(value === 1 ? 'quarto.first' : value === -1 ? 'quarto.second' : 'quarto.even'), judge, turns, listen: listener => game.listen(listener),
  })
}
