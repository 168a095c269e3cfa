// Moves as texts, as the server and everybody else write them, and games as links.

import { words } from '../core/words.js'
import { SIGNS, VARIANTS, dot, legalUntil } from './rules.js'

/** @typedef {import('./rules.js').Move} Move */
/** @typedef {import('./rules.js').Variant} Variant */

/** The column and row of the inner corner of the cross at the top left. */
const REFERENCE = 28

/** @param {Variant} variant */
const shift = variant => REFERENCE - (variant.length - 2)
/** @param {Variant} variant */
const centre = variant => (variant.length - 1) >> 1

/** A move such as `(28,24) | +2`. @param {Variant} variant @param {Move} move */
export function write(variant, move) {
  const { x, y } = dot(move)
  const k = centre(variant) - move.hole
  return `(${x + shift(variant)},${y + shift(variant)}) ${SIGNS[move.direction]} ${k > 0 ? '+' : ''}${k}`
}

/** @param {Variant} variant @param {string} text @returns {Move} */
export function read(variant, text) {
  const parts = text.match(/^\((-?\d+),(-?\d+)\) ([-|\\/]) ([+-]?\d+)$/)
  if (!parts) throw new Error(words('morpion.not-a-move', { text }))
  const [column, row, k] = [Number(parts[1]), Number(parts[2]), Number(parts[4])]
  const direction = SIGNS.indexOf(parts[3] ?? '')
  const hole = centre(variant) - k
  const at = { x: column - shift(variant), y: row - shift(variant), direction, hole: -hole }
  return { ...dot(at), direction, hole }
}

/** The letters of links, each worth six bits. */
export const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** The cells from -27 to 36 around the cross are written in one letter each way; nearly all games stay there. */
const MARGIN = 27

/**
 * A game as letters: where each line starts, then direction and hole together. A game that goes further is written with two
 * letters for each coordinate, behind a point.
 * @param {Variant} variant @param {Move[]} moves
 */
export function pack(variant, moves) {
  const near = (/** @type {number} */ place) => place + MARGIN >= 0 && place + MARGIN < 64
  const isNear = moves.every(({ x, y }) => near(x) && near(y))
  const one = (/** @type {number} */ place) => LETTERS[place + MARGIN]
  const two = (/** @type {number} */ place) => {
    const shifted = place + 2048
    return `${LETTERS[shifted >> 6]}${LETTERS[shifted & 63]}`
  }
  const coordinate = isNear ? one : two
  const letters = moves.map(({ x, y, direction, hole }) => `${coordinate(x)}${coordinate(y)}${LETTERS[direction * 8 + hole]}`)
  return `${variant.name.toLowerCase()}${isNear ? '-' : '.'}${letters.join('')}`
}

/**
 * The game of a link; nothing if it is none.
 * @param {string} text
 * @returns {{ variant: Variant, moves: Move[] } | null}
 */
export function unpack(text) {
  const variant = VARIANTS[text.slice(0, 2).toUpperCase()]
  const width = { '-': 1, '.': 2 }[text[2] ?? '']
  const letters = [...text.slice(3)].map(letter => LETTERS.indexOf(letter))
  const size = 2 * (width ?? 0) + 1
  if (!variant || !width || letters.length % size !== 0 || letters.includes(-1)) return null
  const coordinate = (/** @type {number} */ at) =>
    width === 1 ? (letters[at] ?? 0) - MARGIN : (letters[at] ?? 0) * 64 + (letters[at + 1] ?? 0) - 2048
  /** @type {Move[]} */
  const moves = []
  for (let at = 0; at < letters.length; at += size) {
    const last = letters[at + 2 * width] ?? 0
    moves.push({ x: coordinate(at), y: coordinate(at + width), direction: last >> 3, hole: last & 7 })
  }
  const isGame = moves.every(move => move.direction < 4 && move.hole < variant.length)
  return isGame && legalUntil(variant, moves) === moves.length ? { variant, moves } : null
}
