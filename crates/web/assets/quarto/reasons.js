// Why a move of Quarto is good or bad, in words: which lines wait for their fourth piece, and for which trait.

import { words } from '../core/words.js'
import { cellText, pieceText } from './notation.js'
import { LINES, SQUARES, TRAITS, either, together, traitsOf } from './rules.js'

/** @typedef {import('./rules.js').Position} Position */
/** @typedef {{ cell: number, cells: number[], shared: string[] }} Threat a line of three that share traits, and its empty cell */

/** The traits of bits. @param {number} bits */
const named = bits => TRAITS.filter((_, bit) => bits & (1 << bit))

/** The lines that a fourth piece could complete. @param {Position} position @returns {(Threat & { bits: number })[]} */
export function threats(position) {
  const lines = position.squares ? [...LINES, ...SQUARES] : LINES
  return lines.flatMap(cells => {
    const empty = cells.filter(cell => position.board[cell] === null)
    const [cell] = empty
    if (empty.length !== 1 || cell === undefined) return []
    const bits = cells.reduce((bits, other) => (other === cell ? bits : bits & traitsOf(position.board[other] ?? 0)), 255)
    return bits ? [{ cell, cells, bits, shared: named(bits) }] : []
  })
}

/** The lines that a piece completes, wherever it is put. @param {Position} position @param {number} piece @returns {Threat[]} */
export const completed = (position, piece) =>
  threats(position).flatMap(({ cell, cells, bits }) => {
    const shared = named(bits & traitsOf(piece))
    return shared.length > 0 ? [{ cell, cells, shared }] : []
  })

/** A line in words. @param {Threat} threat */
const inWords = ({ cells, cell, shared }) => words('quarto.line-in-words', { cells: cells.filter(other => other !== cell).map(cellText).join(', '), cell: cellText(cell), traits: together(shared) })

/** Why a piece must not be given; empty if it completes nothing. @param {Position} position @param {number} piece */
export function whyItLoses(position, piece) {
  const [line] = completed(position, piece)
  return line ? words('quarto.piece-completes', { piece: pieceText(piece), line: inWords(line) }) : ''
}

/** The pieces left that complete no line. @param {Position} position */
const safe = position => position.left.filter(piece => completed(position, piece).length === 0)

/**
 * Sentences about an advised move.
 * @param {Position} position @param {number} move @param {Position} next the position after it
 */
export function reasons(position, move, next) {
  if (position.hand === null) return ofGift(position, move)
  const wins = completed(position, position.hand).filter(({ cell }) => cell === move)
  if (wins[0]) return [words('quarto.it-completes', { line: inWords(wins[0]) })]
  const sentences = []
  const blocked = threats(position).filter(({ cell }) => cell === move)
  if (blocked.length > 0) sentences.push(...blocked.map(({ shared }) => words('quarto.it-closes', { traits: either(shared) })))
  const [count, all] = [safe(next).length, next.left.length]
  if (all > 0 && count < all) {
    sentences.push(count === 0 ? words('quarto.after-it-every-piece') : words('quarto.after-it-some', { count, all }))
  } else if (all > 0) sentences.push(words('quarto.after-it-none'))
  return sentences
}

/** @param {Position} position @param {number} piece */
function ofGift(position, piece) {
  const open = threats(position)
  if (open.length === 0) return [words('quarto.no-line-waits')]
  const traits = [...new Set(open.flatMap(({ shared }) => shared))]
  const bad = position.left.filter(other => completed(position, other).length > 0)
  const sentences = [words('quarto.lines-wait', { n: open.length, traits: either(traits) })]
  if (!bad.includes(piece)) sentences.push(words('quarto.completes-none'))
  if (bad.length > 0) {
    const example = bad.slice(0, 2).map(other => whyItLoses(position, other)).join(`, ${words('quarto.and')} `)
    sentences.push(words(bad.length === position.left.length ? 'quarto.all-lose' : 'quarto.some-lose', { n: bad.length, all: position.left.length, example }))
  }
  return sentences
}
