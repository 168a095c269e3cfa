// Pieces as drawings that differ in shape as well as in colour: round or square, tall or short, with a hole or without.

import { html, svg } from '../core/dom.js'
import { words } from '../core/words.js'
import { pieceText } from './notation.js'
import { traitsInWords } from './rules.js'

const MIDDLE = 50
const FOOT = 102

/** A point list. @param {...[number, number]} points */
const points = (...points) => points.map(point => point.join(',')).join(' ')

/** @param {number} top the height of the top's middle @param {boolean} hollow */
function box(top, hollow) {
  const [a, b] = [36, 17]
  const roof = (/** @type {number} */ share, /** @type {string} */ name) =>
    svg('polygon', { class: name, points: points([MIDDLE - a * share, top], [MIDDLE, top - b * share], [MIDDLE + a * share, top], [MIDDLE, top + b * share]) })
  return [
    svg('polygon', { class: 'left', points: points([MIDDLE - a, top], [MIDDLE, top + b], [MIDDLE, FOOT + b], [MIDDLE - a, FOOT]) }),
    svg('polygon', { class: 'right', points: points([MIDDLE + a, top], [MIDDLE, top + b], [MIDDLE, FOOT + b], [MIDDLE + a, FOOT]) }),
    roof(1, 'top'),
    ...(hollow ? [roof(0.56, 'hole')] : []),
  ]
}

/** @param {number} top @param {boolean} hollow */
function drum(top, hollow) {
  const [a, b] = [33, 15.5]
  const [left, right] = [MIDDLE - a, MIDDLE + a]
  const side = svg('path', { class: 'round', d: `M${left} ${top}V${FOOT}A${a} ${b} 0 0 0 ${right} ${FOOT}V${top}z` })
  const roof = (/** @type {number} */ share, /** @type {string} */ name) => svg('ellipse', { class: name, cx: MIDDLE, cy: top, rx: a * share, ry: b * share })
  return [side, roof(1, 'top'), ...(hollow ? [roof(0.56, 'hole')] : [])]
}

/** All pieces, once for the whole page; the others are copies. */
export function definePieces() {
  const symbols = Array.from({ length: 16 }, (_, piece) => {
    const top = piece & 4 ? 34 : 70
    const parts = piece & 2 ? box(top, !(piece & 1)) : drum(top, !(piece & 1))
    return svg('symbol', { id: `piece-${piece}`, viewBox: '0 0 100 124' }, svg('g', { class: piece & 8 ? 'dark-piece' : 'light-piece' }, ...parts))
  })
  const shade = (/** @type {string} */ name) =>
    svg('linearGradient', { id: `${name}-round`, class: `${name}-piece` },
      svg('stop', { class: 'left', offset: 0 }), svg('stop', { class: 'bright', offset: 0.3 }), svg('stop', { class: 'right', offset: 1 }))
  document.body.append(svg('svg', { width: 0, height: 0, class: 'unseen', 'aria-hidden': 'true' }, shade('dark'), shade('light'), ...symbols))
}

/** @param {number} piece */
export function drawn(piece) {
  return svg('svg', { class: 'piece', viewBox: '0 0 100 124', 'data-piece': piece, 'aria-hidden': 'true' }, svg('use', { href: `#piece-${piece}` }))
}

/** The name and the traits of a piece, for people who do not see it. @param {number} piece */
export const spoken = piece => words('quarto.piece', { traits: traitsInWords(piece) })

/** A small piece in a text. @param {number} piece */
export const inline = piece => html('span', { class: 'inline-piece', title: `${pieceText(piece)}: ${traitsInWords(piece)}` }, drawn(piece))
