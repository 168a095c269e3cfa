// The table: the board, the piece in hand, the pieces that are left.

import { html, part, svg } from '../core/dom.js'
import { roving } from '../core/grid.js'
import { words } from '../core/words.js'
import { cellText, pieceText } from './notation.js'
import { drawn, spoken } from './pieces.js'
import { traitsInWords } from './rules.js'

/** @typedef {import('./game.js').Game} Game */

const SIXTEEN = Array.from({ length: 16 }, (_, index) => index)

export class Table {
  /** @param {Game} game */
  constructor(game) {
    this.game = game
    this.board = part('board')
    this.tray = part('tray')
    this.hand = part('hand')
    this.cells = SIXTEEN.map(cell =>
      html('button', { type: 'button', class: 'cell', 'data-cell': cell, click: () => this.#place(cell) }))
    this.pieces = SIXTEEN.map(piece =>
      html('button', { type: 'button', class: 'gift', 'data-gift': piece, click: () => this.#give(piece) }, drawn(piece)))
    this.board.append(...this.cells)
    this.tray.append(...this.pieces)
    this.lines = svg('svg', { class: 'won', viewBox: '0 0 4 4', 'aria-hidden': 'true' })
    this.board.append(this.lines)
    this.reachCell = roving(this.board, this.cells, 4)
    this.reachGift = roving(this.tray, this.pieces, 4)
    game.listen(({ forward }) => this.show(forward))
  }

  /** @param {number} cell */
  #place(cell) {
    if (this.game.isPersons && this.game.position.hand !== null) this.game.play(cell)
  }

  /** @param {number} piece */
  #give(piece) {
    if (this.game.isPersons && this.game.position.hand === null) this.game.play(piece)
  }

  /** @param {boolean} forward whether the last move has just been made */
  show(forward) {
    const { position, isPersons, at } = this.game
    const last = at % 2 === 0 ? this.game.moves[at - 1] : undefined
    const won = new Set(position.won.flatMap(({ cells }) => cells))
    const places = isPersons && position.hand !== null
    const gives = isPersons && position.hand === null
    // Whoever plays by keys goes on by keys.
    const hasFocus = this.board.contains(document.activeElement) || this.tray.contains(document.activeElement)
    this.cells.forEach((cell, index) => {
      const piece = position.board[index] ?? null
      cell.replaceChildren(...(piece === null ? [] : [drawn(piece)]))
      cell.classList.toggle('full', piece !== null)
      cell.classList.toggle('won', won.has(index))
      cell.classList.toggle('last', index === last)
      cell.classList.toggle('new', forward && index === last)
      cell.ariaDisabled = String(!places || piece !== null)
      cell.ariaLabel = `${cellText(index)}, ${piece === null ? words('quarto.empty') : spoken(piece)}`
      if (places && piece === null && position.hand !== null) cell.append(html('span', { class: 'ghost' }, drawn(position.hand)))
    })
    this.pieces.forEach((button, piece) => {
      button.classList.toggle('gone', !position.left.includes(piece))
      button.ariaDisabled = String(!gives || !position.left.includes(piece))
      button.ariaLabel = `${pieceText(piece)}, ${spoken(piece)}${position.left.includes(piece) ? '' : `, ${words('quarto.gone')}`}`
      button.title = traitsInWords(piece)
    })
    document.body.classList.toggle('placing', places)
    document.body.classList.toggle('giving', gives)
    this.#showHand(position.hand)
    this.#showLines(position.won)
    if (hasFocus && places) this.#focus(this.cells, cell => !cell.classList.contains('full'))
    if (hasFocus && gives) this.#focus(this.pieces, piece => !piece.classList.contains('gone'))
  }

  /** Keeps the focus where it can do something. @param {HTMLElement[]} all @param {(element: HTMLElement) => boolean} can */
  #focus(all, can) {
    const current = all.find(element => element === document.activeElement)
    if (!current || !can(current)) all.find(can)?.focus({ preventScroll: true })
  }

  /** @param {number | null} piece */
  #showHand(piece) {
    this.hand.replaceChildren(...(piece === null ? [] : [drawn(piece)]))
    this.hand.classList.toggle('empty', piece === null)
    part('hand-words').textContent = piece !== null ? traitsInWords(piece) : this.game.isPersons ? words('quarto.click-a-piece') : ''
  }

  /** @param {import('./rules.js').Won[]} won */
  #showLines(won) {
    const middle = (/** @type {number} */ cell) => [(cell % 4) + 0.5, (cell >> 2) + 0.5]
    this.lines.replaceChildren(
      ...won.map(({ cells }) => {
        const isSquare = (cells[3] ?? 0) - (cells[0] ?? 0) === 5
        const order = isSquare ? [0, 1, 3, 2, 0] : [0, 3]
        return svg('polyline', { points: order.map(index => middle(cells[index] ?? 0).join(',')).join(' '), pathLength: 1 })
      }),
    )
  }

  /** Points at a move, or at nothing. @param {number | null} move */
  point(move) {
    const places = this.game.position.hand !== null
    this.cells.forEach((cell, index) => cell.classList.toggle('advised', places && index === move))
    this.pieces.forEach((piece, index) => piece.classList.toggle('advised', !places && index === move))
  }

  /** Marks the cells of lines that wait for their fourth piece. @param {{ cells: number[] }[]} threats */
  threaten(threats) {
    const marked = new Set(threats.flatMap(({ cells }) => cells))
    this.cells.forEach((cell, index) => cell.classList.toggle('threat', marked.has(index)))
  }

  /** Says of the pieces to give why they lose. @param {(piece: number) => string} why */
  explain(why) {
    if (this.game.position.hand !== null) return
    for (const piece of this.game.position.left) {
      const button = this.pieces[piece]
      if (button) button.title = [traitsInWords(piece), why(piece)].filter(Boolean).join(': ')
    }
  }

  /** Marks the moves with their values. @param {import('../core/api.js').Opinion[]} opinions in the order of the legal moves */
  mark(opinions) {
    for (const mark of document.querySelectorAll('#board .verdict, #tray .verdict')) mark.remove()
    const elements = this.game.position.hand !== null ? this.cells : this.pieces
    this.game.position.legal.forEach((move, index) => {
      const opinion = opinions[index]
      if (opinion) elements[move]?.append(verdict(opinion))
    })
  }
}

/** The value of a move: `W 3`, `=`, `L 4` where that is exact, else the share of points that the search expects. @param {import('../core/api.js').Opinion} opinion */
function verdict(opinion) {
  if (opinion.verdict === null) {
    const share = opinion.visits === 0 ? '?' : `${Math.round(100 * opinion.value)}%`
    return html('span', { class: 'verdict guess', title: words('quarto.search-expects', { share }) }, share)
  }
  const letter = { win: words('quarto.w'), draw: '=', loss: words('quarto.l') }[opinion.verdict]
  const meaning = words(/** @type {const} */ ({ win: 'quarto.win', draw: 'quarto.draw', loss: 'quarto.loss' })[opinion.verdict])
  return html('span', { class: `verdict ${opinion.verdict}`, title: opinion.in === null ? words('quarto.exactly', { meaning }) : words('quarto.exactly-in', { meaning, moves: opinion.in }) }, `${letter}${opinion.in ?? ''}`)
}
