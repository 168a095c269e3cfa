// Numbers and times as people read them.

import { words } from './words.js'

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })

/** A whole number with its thousands apart. @param {number} number */
export const count = number => whole.format(number)

/** A large number, roughly: 950, 12,300, 3.4 million. @param {number} number */
export function roughly(number) {
  if (number < 1e4) return count(number)
  if (number < 1e6) return count(Math.round(number / 100) * 100)
  if (number < 1e9) return words('core.million', { number: (number / 1e6).toFixed(1) })
  if (number < 1e12) return words('core.billion', { number: (number / 1e9).toFixed(1) })
  return `10^${Math.round(Math.log10(number))}`
}

/** A rate in little room: 950, 52 k, 1.2 M. @param {number} number */
export function short(number) {
  if (number < 1e3) return count(number)
  if (number < 1e6) return `${(number / 1e3).toFixed(number < 1e4 ? 1 : 0)} k`
  if (number < 1e9) return `${(number / 1e6).toFixed(number < 1e7 ? 1 : 0)} M`
  return `${(number / 1e9).toFixed(1)} G`
}

/** A time, roughly: 0.3 s, 45 s, 12 min, 3.1 h, 17 days. @param {number} seconds */
export function about(seconds) {
  if (seconds < 0.01) return words('core.under-a-moment')
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  if (seconds < 172800) return `${(seconds / 3600).toFixed(1)} h`
  if (seconds < 6.3e7) return words('core.days', { days: Math.round(seconds / 86400) })
  const years = seconds / 31557600
  return words('core.years', { years: seconds < 3.2e13 ? count(years) : `10^${Math.round(Math.log10(years))}` })
}

/** A clock: 0:07, 12:40, 3:05:00. @param {number} seconds */
export function clock(seconds) {
  const [s, m, h] = [Math.floor(seconds % 60), Math.floor(seconds / 60) % 60, Math.floor(seconds / 3600)]
  const two = (/** @type {number} */ n) => String(n).padStart(2, '0')
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`
}

/** How long ago a time is. @param {string} date */
export function ago(date) {
  const seconds = (Date.now() - Date.parse(date)) / 1000
  return seconds < 60 ? words('core.just-now') : words('core.ago', { time: about(seconds) })
}

/** One thing, or several. @param {number} number @param {string} thing */
export const plural = (number, thing) => `${count(number)} ${thing}${number === 1 ? '' : 's'}`

const exact = new Intl.NumberFormat('en', { maximumFractionDigits: 4 })

/** A score: all that matters of it. @param {number} number */
export const score = number => exact.format(number)

/** A score in little room. @param {number} number */
export function brief(number) {
  if (Math.abs(number) >= 1e5) return short(number)
  return Number.isInteger(number) ? count(number) : number.toFixed(1)
}

/**
 * A score in words where its number says little, as the problem itself puts it; otherwise the number.
 * @param {number | null} number
 * @param {{ words: string } | undefined} meaning
 * @param {(number: number) => string} [form]
 */
export const worth = (number, meaning, form = score) => (number === null ? '–' : meaning?.words ?? form(number))

/** The name of a problem without the puzzle that it may carry. @param {string} problem */
export const shortName = problem => problem.replace(/text=[\w-]*/, words('core.pasted'))
