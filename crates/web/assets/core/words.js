// Texts for people, which words/en.js has in one place.

import { WORDS } from '../words/en.js'
import { count } from './text.js'

/**
 * A text, with numbers and other texts in the places of their names.
 * @param {keyof typeof WORDS} name
 * @param {Record<string, string | number>} [values] `n` decides between one and several
 */
export function words(name, values = {}) {
  const [one = '', several = one] = WORDS[name].split(' | ')
  const form = values.n === undefined || values.n === 1 ? one : several
  const shown = (/** @type {string | number | undefined} */ value) => (typeof value === 'number' ? count(value) : value ?? '')
  return form.replace(/\{(\w+)\}/g, (_, value) => shown(values[value]))
}
