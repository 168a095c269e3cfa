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

/** The page that shows games of a problem, by the list of pages in the header (parts/site.html). @param {string} problem */
export function pageOf(problem) {
  const name = problem.split(':')[0] ?? ''
  const shows = (/** @type {string} */ listed) => listed.endsWith('-') ? name.startsWith(listed) : name === listed
  const links = [...document.querySelectorAll('nav [data-problems]')]
  const own = links.find(link => link.getAttribute('data-problems')?.split(' ').some(shows))
  return own?.getAttribute('href') ?? '/problems'
}
