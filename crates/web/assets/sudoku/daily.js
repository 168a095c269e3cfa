// Today's boards of Sudoku and Kakuro: puzzles of a level, made from the date.

import * as api from '../core/api.js'
import { boards, name } from '../core/daily.js'

/** Opens the board of an address such as #today-kakuro. @param {import('../core/solo.js').Solo} solo */
export async function today(solo) {
  const wanted = location.hash.match(/^#today-(sudoku|kakuro)$/)?.[1]
  const daily = wanted && boards().find(({ game }) => game.toLowerCase() === wanted)
  if (!daily || !daily.puzzle) return
  history.replaceState(null, '', location.pathname)
  const { problem } = await api.newPuzzle(wanted, daily.puzzle.level, daily.puzzle.seed)
  name(daily.game, problem)
  await solo.open(problem, [])
}
