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

/** The text behind # in the address, unless that is a place on the page, to which a link has led. */
export function linkText() {
  const text = location.hash.slice(1)
  return document.getElementById(text) ? '' : text
}

/** The number of the run of a link. @param {string} text */
export const runOf = text => Number(text.match(/^run-(\d+)$/)?.[1] ?? 0)

/** The links to the pages, and the one to the page with games of a problem, if that is not the page of all others. @param {string} problem */
function linked(problem) {
  const name = problem.split(':')[0] ?? ''
  const shows = (/** @type {string} */ listed) => listed.endsWith('-') ? name.startsWith(listed) : name === listed
  const links = [...document.querySelectorAll('nav [data-problems]')]
  return { links, own: links.find(link => link.getAttribute('data-problems')?.split(' ').some(shows)) }
}

/** Whether a problem has a page of its own. @param {string} problem */
export const hasPage = problem => linked(problem).own !== undefined

/** The page that shows games of a problem, by the list of pages in the header (parts/site.html). @param {string} problem */
export function pageOf(problem) {
  const { links, own } = linked(problem)
  // The page of all others lists none.
  const page = own ?? links.find(link => link.getAttribute('data-problems') === '')
  return page?.getAttribute('href') ?? ''
}

/** Whether this page shows games of a problem. @param {string} problem */
export const isHere = problem => pageOf(problem) === document.querySelector('nav [aria-current]')?.getAttribute('href')
