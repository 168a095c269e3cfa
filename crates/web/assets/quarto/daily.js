// Today's board: a position drawn by lot, the same for everybody, of which the exact solver knows that it can be won or held.

import * as api from '../core/api.js'
import { lots, madeToday, name, note, today } from '../core/daily.js'
import { part } from '../core/dom.js'
import { words } from '../core/words.js'
import { problemOf, read, write } from './notation.js'
import { Position } from './rules.js'

/** The moves that are made already: nine pieces are placed, and the tenth is in the hand of the first player. */
const GIVEN = 19

/** Positions that are looked at. */
const MOST = 60

/** @typedef {{ moves: number[], aim: string }} Board */

/** Random moves that win nothing and leave nothing to be won at once, if that is possible. @param {(count: number) => number} below */
function drawn(below) {
  /** @type {number[]} */
  const moves = []
  while (moves.length < GIVEN) {
    const { legal } = new Position(false, moves)
    const isQuiet = (/** @type {number} */ move) => !new Position(false, [...moves, move]).isOver
    const isSafe = (/** @type {number} */ move) => {
      const given = new Position(false, [...moves, move])
      return given.hand === null || given.legal.every(cell => !new Position(false, [...moves, move, cell]).isOver)
    }
    const quiet = legal.filter(move => isQuiet(move) && isSafe(move))
    const move = quiet[below(quiet.length)]
    if (move === undefined) return null
    moves.push(move)
  }
  return moves
}

/** What the first player can reach, if few of the moves do. @param {api.Opinion[]} opinions */
function aimOf(opinions) {
  if (opinions.some(({ verdict }) => verdict === null)) return null
  const [wins, draws] = ['win', 'draw'].map(verdict => opinions.filter(opinion => opinion.verdict === verdict))
  if (wins?.length === 1) return words('quarto.one-move-wins', { moves: wins[0]?.in ?? 0 })
  if (wins?.length === 0 && draws?.length === 1) return words('quarto.one-move-draws')
  return null
}

/** @param {string} date @returns {Promise<Board>} */
async function make(date) {
  const below = lots(Number(date.replaceAll('-', '')))
  for (let tried = 0; tried < MOST; tried++) {
    const moves = drawn(below)
    if (!moves) continue
    const { opinions } = await api.analysis(problemOf(false), write(moves), new AbortController().signal)
    const aim = aimOf(opinions)
    if (aim) return { moves, aim }
  }
  throw new Error(words('quarto.no-board-today'))
}

/**
 * @param {import('./game.js').Game} game
 * @param {import('./seats.js').Seats} seats
 * @param {() => string} standing how the game stands
 */
export function daily(game, seats, standing) {
  const made = madeToday('Quarto')
  /** @type {Board | undefined} */
  let board = made?.opening && { moves: read(made.opening), aim: made.aim ?? '' }
  game.listen(() => {
    if (!board) return
    const isIts = !game.squares && board.moves.every((move, index) => game.played[index] === move)
    part('daily').hidden = !isIts
    part('daily').textContent = words('quarto.todays-board', { aim: board.aim })
    if (isIts) note(problemOf(false), write(game.played), standing(), game.position.isOver)
  })
  return {
    /** Opens it for an address such as #today-quarto; false for any other. @param {string} text */
    async recall(text) {
      if (text !== 'today-quarto') return false
      part('daily').hidden = false
      part('daily').textContent = words('quarto.looking-for-today')
      if (!board || !madeToday('Quarto')) board = await make(today())
      name('Quarto', problemOf(false), write(board.moves), board.aim)
      // The strongest level plays the other side.
      seats.take('', seats.levels.at(-1)?.name ?? '')
      game.open(false, board.moves)
      return true
    },
  }
}
