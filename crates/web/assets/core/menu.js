// The searches of the menus, and the expression that each choice stands for.

import * as api from './api.js'
import { words } from './words.js'

/**
 * @typedef {{ name: string, about: string, level: string, levels: string[], usual: string,
 *   expression: (level: string) => string }} Algorithm
 */

/** @type {Algorithm} */
const CHOSEN = {
  name: words('core.the-best-for-this-problem'),
  about: '',
  level: words('core.level'),
  levels: [words('core.automatic')],
  usual: words('core.automatic'),
  expression: () => '',
}

/** What people choose from: what the server has, by its name. @returns {Promise<Record<string, Algorithm>>} */
export async function algorithms() {
  /** @type {Record<string, Algorithm>} */
  const listed = { chosen: CHOSEN }
  for (const { name, menu } of await api.searches()) {
    if (!menu) continue
    const { title, about, choice, choices, usual } = menu
    const texts = new Map(choices.map(({ choice, expression }) => [choice, expression]))
    const expression = (/** @type {string} */ level) => texts.get(level) ?? ''
    listed[name] = { name: title, about, level: choice, levels: [...texts.keys()], usual, expression }
  }
  return listed
}

/**
 * The menu's choice that an expression is; nothing if it is somebody's own.
 * @param {Record<string, Algorithm>} listed
 * @param {string} expression
 */
export function chosenBy(listed, expression) {
  for (const [key, { levels, expression: text }] of Object.entries(listed)) {
    const level = levels.find(level => text(level) === expression)
    if (level !== undefined) return { key, level }
  }
  return null
}

/** The search inside an endless repetition; its cost is the useful one. @param {string} expression */
export const round = expression => expression.match(/^repeat\((?!\s*\d)(.*)\)$/)?.[1] ?? expression
