// Moves as texts, as the server and everybody else write them, and games as links.

import { words } from '../core/words.js'
import { isLegal } from './rules.js'

const LETTERS = ['LD', 'ST', 'RQ', 'HF']

/** `DTQF` @param {number} piece */
export const pieceText = piece => LETTERS.map((pair, index) => pair[(piece >> (3 - index)) & 1]).join('')

/** `a1` @param {number} cell */
export const cellText = cell => `${'abcd'[cell % 4]}${(cell >> 2) + 1}`

/** The texts of a game. @param {number[]} moves */
export const write = moves => moves.map((move, index) => (index % 2 === 0 ? pieceText(move) : cellText(move)))

/** The game of texts as the server writes them. @param {string[]} texts */
export const read = texts =>
  texts.map((text, index) => {
    const name = index % 2 === 0 ? pieceText : cellText
    const found = Array.from({ length: 16 }, (_, number) => number).find(number => name(number) === text)
    if (found === undefined) throw new Error(words('morpion.not-a-move', { text }))
    return found
  })

/**
 * The game of a text such as `quarto squares LSQH d4 DTQH`, as people write it down; nothing if it has other words in it.
 * @param {string} text
 */
export function transcript(text) {
  const words = text.replace(/#.*$/gm, ' ').split(/[\s,]+/).filter(Boolean)
  const isNamed = words[0]?.toLowerCase() === 'quarto'
  if (isNamed) words.shift()
  const variant = /^(lines|squares)$/i.test(words[0] ?? '') ? words.shift() : 'lines'
  const isMove = (/** @type {string} */ word) => /^[a-d][1-4]$/i.test(word) || /^[dlstqrfh]{4}$/i.test(word)
  if ((words.length === 0 && !isNamed) || !words.every(isMove)) return null
  return { squares: variant?.toLowerCase() === 'squares', moves: words }
}

/** @param {boolean} squares */
export const problemOf = squares => (squares ? 'quarto:squares' : 'quarto')

/** Whether a problem is Quarto with squares; nothing if it is no Quarto. @param {string} problem */
export const squaresOf = problem => new Map([['quarto', false], ['quarto:lines', false], ['quarto:squares', true]]).get(problem) ?? null

/** A game as letters: one for each move. @param {boolean} squares @param {number[]} moves */
export const pack = (squares, moves) => `${squares ? 'squares' : 'lines'}-${moves.map(move => move.toString(16)).join('')}`

/** The game of a link; nothing if it is none. @param {string} text */
export function unpack(text) {
  const parts = text.match(/^(lines|squares)-([0-9a-f]{0,32})$/)
  if (!parts) return null
  const squares = parts[1] === 'squares'
  const moves = [...(parts[2] ?? '')].map(letter => parseInt(letter, 16))
  return isLegal(squares, moves) ? { squares, moves } : null
}
