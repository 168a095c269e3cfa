// What is known of problems.

import * as api from './api.js'

/** @type {Map<string, Promise<api.Problem>>} */
const problems = new Map()

/** What is known of a problem; asked for once. @param {string} problem */
export function known(problem) {
  let asked = problems.get(problem)
  if (!asked) {
    asked = api.problem(problem)
    asked.catch(() => problems.delete(problem))
    problems.set(problem, asked)
  }
  return asked
}

/** How far a score is from the record, where more is better. @param {number} score @param {api.Known | null} record */
export function distance(score, record) {
  if (!record) return ''
  const short = record.score - score
  const proven = record.proven ? ', which is proven to be the most' : ''
  if (short > 0) return `${short} short of the record of ${record.score}`
  return short === 0 ? `Equals the record of ${record.score}${proven}` : `Breaks the record of ${record.score}!`
}
