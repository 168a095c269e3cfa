// A game of Morpion Solitaire, reviewed: how long the best continuation was that a short search finds from each of its positions.

import * as api from '../core/api.js'
import { Review } from '../core/review.js'
import { words } from '../core/words.js'
import { write } from './notation.js'
import { Position } from './rules.js'

/** @typedef {import('../core/review.js').Value} Value */

/** Seconds of search for each position. */
const TIME = 0.25

/** So many moves that mattered are named. */
const MOST = 6

/** @param {import('./game.js').Game} game */
export function review(game) {
  const texts = () => game.moves.map(move => write(game.variant, move))

  /** @param {string[]} moves @param {number} at @param {Value | undefined} later @param {AbortSignal} signal @returns {Promise<Value>} */
  async function judge(moves, at, later, signal) {
    if (at === moves.length && new Position(game.variant, game.moves).legal().length === 0) return { at, value: at, exact: true }
    const found = await api.hint(game.variant.problem, moves.slice(0, at), signal, TIME)
    // What can be reached after the move that was made can be reached before it.
    return { at, value: Math.max(found.score, later?.value ?? at), exact: found.proven }
  }

  /** The moves that cost most. @param {Value[]} values */
  function turns(values) {
    const costs = values.flatMap((before, index) => {
      const after = values[index + 1]
      const cost = after ? before.value - after.value : 0
      return after && cost > 0 ? [{ at: before.at, cost, text: words('morpion.move-cost', { move: before.at + 1, n: cost, before: before.value, after: after.value }) }] : []
    })
    return costs.sort((one, other) => other.cost - one.cost).slice(0, MOST).sort((one, other) => one.at - other.at)
  }

  return new Review({
    moves: texts, at: () => game.at, go: at => game.go(at), isReady: () => game.isOver && game.moves.length > 0,
    caption: words('morpion.review-caption'), label: words('morpion.review-label'),
    range: values => [Math.floor(Math.min(...values.map(({ value }) => value)) / 10) * 10, Math.ceil((Math.max(...values.map(({ value }) => value)) + 1) / 10) * 10],
    tick: String, judge, turns, listen: listener => game.listen(listener),
  })
}
