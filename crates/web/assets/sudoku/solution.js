// What the solution has in a cell, for those whom no technique has helped.

import * as api from '../core/api.js'
import { words } from '../core/words.js'

/**
 * The value of a cell in the solution, and a sentence about it; no value where there is none to be shown.
 * @param {import('./puzzle.js').Puzzle} puzzle @param {number[]} values those on the grid @param {number} place
 * @returns {Promise<{ text: string, value: number | null }>}
 */
export async function looked(puzzle, values, place) {
  if (puzzle.places[place]?.kind !== 'cell' || values[place]) return { text: words('sudoku.choose-a-cell'), value: null }
  const name = puzzle.name(place)
  const all = Array.from({ length: puzzle.largest }, (_, index) => `${name}=${index + 1}`)
  // Of all pencil marks that the cell could have, one is in the solution.
  const { marks } = await api.mistakes(puzzle.problem, [], all)
  const right = marks && all.filter(move => !marks.includes(move))
  if (right?.length !== 1) return { text: words('sudoku.no-single-solution'), value: null }
  const value = Number(right[0]?.split('=')[1])
  return { text: words('sudoku.the-solution-has', { value, cell: name }), value }
}
