// Games as links: the problem, which may carry a puzzle, and the moves. Runs are linked by their numbers.

/** @param {string} problem @param {string[]} moves */
export const pack = (problem, moves) => `${encodeURIComponent(problem)}~${encodeURIComponent(moves.join('\n'))}`

/**
 * What a link says, which may be nonsense: the server knows.
 * @param {string} text
 * @returns {{ problem: string, moves: string[] } | null}
 */
export function unpack(text) {
  const [problem, moves] = text.split('~')
  if (!problem || moves === undefined) return null
  try {
    return { problem: decodeURIComponent(problem), moves: decodeURIComponent(moves).split('\n').filter(Boolean) }
  } catch {
    return null
  }
}

/** The number of the run of a link. @param {string} text */
export const runOf = text => Number(text.match(/^run-(\d+)$/)?.[1] ?? 0)

/** The page that shows games of a problem. @param {string} problem */
export function pageOf(problem) {
  const name = problem.split(':')[0] ?? ''
  if (name.startsWith('morpion-')) return '/'
  return new Map([['quarto', '/quarto'], ['samegame', '/samegame'], ['sudoku', '/sudoku'], ['kakuro', '/sudoku'], ['tsptw', '/tours']]).get(name) ?? '/problems'
}
