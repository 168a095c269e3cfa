// What is known of problems.

import * as api from './api.js'
import { words } from './words.js'

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
  const values = { short: String(short), record: String(record.score) }
  if (short > 0) return words('core.short-of-the-record', values)
  if (short < 0) return words('core.breaks-the-record', values)
  return words(record.proven ? 'core.equals-the-proven-record' : 'core.equals-the-record', values)
}
