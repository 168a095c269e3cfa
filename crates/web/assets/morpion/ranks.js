// Games as short links: which of the legal moves was played, move by move, as the digits of one large number. A game of 178 moves takes
// about 130 letters.

import { LETTERS } from './notation.js'
import { Position, VARIANTS, dot } from './rules.js'

/** @typedef {import('./rules.js').Move} Move */
/** @typedef {import('./rules.js').Variant} Variant */

/** The most moves of a game that is written so. */
const MOST = 64 * 64 - 1

/** The legal moves by row, column, direction, and where in its line the new dot is. @param {Position} position */
function sorted(position) {
  const place = (/** @type {Move} */ move) => {
    const { x, y } = dot(move)
    return [y, x, move.direction, move.hole]
  }
  const places = new Map(position.legal().map(move => [move, place(move)]))
  return [...places.keys()].sort((one, other) => {
    const [here, there] = [places.get(one) ?? [], places.get(other) ?? []]
    const first = here.findIndex((number, index) => number !== there[index])
    return first < 0 ? 0 : (here[first] ?? 0) - (there[first] ?? 0)
  })
}

/**
 * A game as letters: the number of moves in two, then one number. Its digits are the ranks of the moves among the legal ones, the first move
 * last; the base of each digit is how many moves are legal. Nothing if the game is too long for that.
 * @param {Variant} variant @param {Move[]} moves legal ones
 */
export function packRanks(variant, moves) {
  if (moves.length > MOST) return null
  const position = new Position(variant)
  const digits = moves.map(move => {
    const legal = sorted(position)
    const { x, y, direction, hole } = move
    const rank = legal.findIndex(other => other.x === x && other.y === y && other.direction === direction && other.hole === hole)
    position.play(move)
    return [BigInt(rank), BigInt(legal.length)]
  })
  let number = digits.reduceRight((number, [rank = 0n, base = 1n]) => number * base + rank, 0n)
  let letters = ''
  for (; number > 0n; number >>= 6n) letters = `${LETTERS[Number(number & 63n)]}${letters}`
  return `${variant.name.toLowerCase()}~${LETTERS[moves.length >> 6]}${LETTERS[moves.length & 63]}${letters}`
}

/**
 * The game of such a link; nothing if it is none.
 * @param {string} text
 * @returns {{ variant: Variant, moves: Move[] } | null}
 */
export function unpackRanks(text) {
  const variant = VARIANTS[text.slice(0, 2).toUpperCase()]
  const places = [...text.slice(3)].map(letter => LETTERS.indexOf(letter))
  const [high, low] = places
  if (!variant || text[2] !== '~' || high === undefined || low === undefined || places.includes(-1)) return null
  let number = places.slice(2).reduce((number, place) => (number << 6n) | BigInt(place), 0n)
  const position = new Position(variant)
  /** @type {Move[]} */
  const moves = []
  for (let left = high * 64 + low; left > 0; left--) {
    const legal = sorted(position)
    const move = legal[Number(number % BigInt(legal.length || 1))]
    if (!move) return null
    number /= BigInt(legal.length)
    moves.push(move)
    position.play(move)
  }
  return number === 0n ? { variant, moves } : null
}
