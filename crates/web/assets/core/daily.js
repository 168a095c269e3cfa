// Today's boards: the same for everybody, from the date; and how one did on them.

import { pack, pageOf } from './address.js'
import { choices } from './prefer.js'

/**
 * A board of the day: a problem, or what the page of a problem makes of the date: a puzzle, or the first moves of a game.
 * @typedef {{ game: string, page: string, problem?: string, puzzle?: { level: string, seed: string } }} Daily
 * @typedef {{ date: string, problem: string, opening?: string[], aim?: string }} Made
 * @typedef {{ date: string, game: string, worth: string, done: boolean }} Result
 */

/** How many results are kept. */
const MOST = 400

/** A day as 2026-05-31, where the person is. @param {Date} [day] */
export function today(day = new Date()) {
  const two = (/** @type {number} */ number) => String(number).padStart(2, '0')
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`
}

/** The boards of a day: its date is their seed. @param {string} [date] @returns {Daily[]} */
export function boards(date = today()) {
  const seed = date.replaceAll('-', '')
  return [
    { game: 'Morpion', page: 'morpion-5d' },
    { game: 'Quarto', page: 'quarto' },
    { game: 'SameGame', page: 'samegame', problem: `samegame:seed=${seed},size=15x15,colours=5` },
    { game: 'Sudoku', page: 'sudoku', puzzle: { level: 'medium', seed } },
    { game: 'Kakuro', page: 'kakuro', puzzle: { level: 'easy', seed } },
    { game: 'Tours', page: 'tsptw', problem: `tsptw:places=20,seed=${seed}` },
  ]
}

/** Where a board of the day opens. @param {Daily} daily */
export const addressOf = ({ game, page, problem }) => `${pageOf(page)}#${problem ? pack(problem, []) : `today-${game.toLowerCase()}`}`

/** The boards of the day that were made, by game. @returns {Record<string, Made>} */
const made = () => choices.get('daily-puzzles', /** @type {Record<string, Made>} */ ({}))

/** Today's board of a game, if it was made already. @param {string} game @returns {Made | undefined} */
export const madeToday = game => [made()[game]].find(its => its?.date === today())

/** Keeps which problem a board of the day is, its first moves and its aim. @param {string} game @param {string} problem @param {string[]} [opening] @param {string} [aim] */
export const name = (game, problem, opening = [], aim = '') => choices.set('daily-puzzles', { ...made(), [game]: { date: today(), problem, opening, aim } })

/** Numbers that a seed decides: always the same ones. @param {number} seed @returns {(count: number) => number} a number below another one */
export function lots(seed) {
  // The generator of Park and Miller.
  const prime = 2 ** 31 - 1
  let state = 1 + (seed % (prime - 1))
  const next = () => (state = (state * 48271) % prime)
  for (let skipped = 0; skipped < 8; skipped++) next()
  return count => Math.floor((next() / prime) * count)
}

/** Your results, the latest first. @returns {Result[]} */
export const history = () => choices.get('daily', /** @type {Result[]} */ ([]))

/**
 * Keeps how today's board stands, if it is one.
 * @param {string} problem @param {string[]} moves @param {string} worth in a few words @param {boolean} done whether the game is over
 */
export function note(problem, moves, worth, done) {
  const date = today()
  const puzzles = made()
  const isIts = (/** @type {Daily} */ { game, problem: own }) => {
    const its = own ? { date, problem: own } : puzzles[game]
    const opening = its?.opening ?? []
    return its?.date === date && its.problem === problem && moves.length > opening.length && opening.every((move, index) => moves[index] === move)
  }
  const daily = boards(date).find(isIts)
  if (!daily) return
  const before = history()
  const old = before.find(result => result.date === date && result.game === daily.game)
  // What was brought to an end once stays, unless it is brought to an end again.
  if (old?.done && !done) return
  const others = before.filter(result => result !== old)
  choices.set('daily', [{ date, game: daily.game, worth, done }, ...others].slice(0, MOST))
}
