// The rules of Sudoku and Kakuro in pictures.

import { svg } from '../core/dom.js'
import { words } from '../core/words.js'

/** A small grid: texts of cells; `\\` parts the sums of a black one. @param {string[][]} rows @param {string} marked */
function picture(rows, marked = '') {
  const cells = rows.flatMap((row, y) => row.flatMap((text, x) => {
    const isBlack = /[#\\]/.test(text)
    const at = { x: x * 28 + 1, y: y * 28 + 1, width: 28, height: 28 }
    const [down, across] = text.replace('#', '').split('\\')
    const label = (/** @type {number} */ dx, /** @type {number} */ dy, /** @type {string} */ shown, size = 15) =>
      svg('text', { x: at.x + dx, y: at.y + dy, 'font-size': size, 'text-anchor': 'middle', class: isBlack ? 'on-black' : null }, shown)
    const texts = isBlack ? [label(9, 24, down ?? '', 10), label(20, 11, across ?? '', 10)] : [label(14, 20, text)]
    return [svg('rect', { ...at, class: isBlack ? 'black-cell' : marked.includes(`${y}${x} `) ? 'marked' : 'white-cell' }), ...texts]
  }))
  return svg('svg', { class: 'grid-rule', viewBox: `0 0 ${(rows[0]?.length ?? 1) * 28 + 2} ${rows.length * 28 + 2}`, width: (rows[0]?.length ?? 1) * 28 + 2 }, ...cells)
}

/** A picture for every rule. */
export const rules = () => [
  { picture: picture([['1', '2', '3', '4'], ['3', '4', '1', '2'], ['2', '1', '4', '3'], ['4', '3', '2', '1']], '00 01 02 03 '), text: words('sudoku.rule-rows') },
  { picture: picture([['1', '2', '3', '4'], ['3', '4', '1', '2'], ['2', '1', '4', '3'], ['4', '3', '2', '1']], '00 01 10 11 '), text: words('sudoku.rule-boxes') },
  { picture: picture([['#', '4\\', '3\\'], ['\\3', '1', '2'], ['\\4', '3', '1']], '11 12 '), text: words('sudoku.rule-sums') },
  { picture: picture([['#', '4\\', '3\\'], ['\\3', '1', '2'], ['\\4', '3', '1']], '11 21 '), text: words('sudoku.rule-runs') },
]
