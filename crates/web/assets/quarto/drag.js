// Pieces that are dragged: from the hand to a cell, from those left to the opponent.

import { html, part } from '../core/dom.js'
import { drawn } from './pieces.js'

/** Pixels that a hand trembles. */
const TREMBLE = 7

/** @param {import('./game.js').Game} game @param {import('./table.js').Table} table */
export function drags(game, table) {
  /** What is dragged, and from where. @type {{ piece: number, x: number, y: number, ghost: HTMLElement | null, places: boolean } | null} */
  let dragged = null

  /** @param {PointerEvent} event @param {number} piece @param {boolean} places */
  function begin(event, piece, places) {
    if (event.button !== 0 || !game.isPersons || places !== (game.position.hand !== null)) return
    dragged = { piece, x: event.clientX, y: event.clientY, ghost: null, places }
  }

  table.hand.addEventListener('pointerdown', event => {
    if (game.position.hand !== null) begin(event, game.position.hand, true)
  })
  table.pieces.forEach((button, piece) => {
    button.addEventListener('pointerdown', event => {
      if (!button.classList.contains('gone')) begin(event, piece, false)
    })
  })

  /** What a piece would be dropped on. @param {PointerEvent} event */
  function target(event) {
    const under = document.elementFromPoint(event.clientX, event.clientY)
    const wanted = dragged?.places ? '.cell:not(.full)' : '#hand, #board'
    return under?.closest(wanted) ?? null
  }

  addEventListener('pointermove', event => {
    if (!dragged) return
    if (!dragged.ghost) {
      if (Math.hypot(event.clientX - dragged.x, event.clientY - dragged.y) < TREMBLE) return
      dragged.ghost = html('div', { class: 'dragged' }, drawn(dragged.piece))
      document.body.append(dragged.ghost)
      document.body.classList.add('dragging')
    }
    dragged.ghost.style.translate = `${event.clientX}px ${event.clientY}px`
    const over = target(event)
    for (const element of document.querySelectorAll('.over')) element.classList.toggle('over', element === over)
    over?.classList.add('over')
  })

  const drop = (/** @type {PointerEvent} */ event) => {
    const was = dragged
    dragged = null
    if (!was?.ghost) return
    const over = was.places === (game.position.hand !== null) ? targetOf(was, event) : null
    was.ghost.remove()
    document.body.classList.remove('dragging')
    for (const element of document.querySelectorAll('.over')) element.classList.remove('over')
    // The click that follows a drag means nothing.
    addEventListener('click', swallow, { capture: true, once: true })
    setTimeout(() => removeEventListener('click', swallow, { capture: true }))
    if (!over || event.type === 'pointercancel') return
    if (!was.places) game.play(was.piece)
    else if (over instanceof HTMLElement) game.play(Number(over.dataset.cell))
  }
  /** @param {{ places: boolean }} was @param {PointerEvent} event */
  function targetOf(was, event) {
    const under = document.elementFromPoint(event.clientX, event.clientY)
    return under?.closest(was.places ? '.cell:not(.full)' : '#hand, #board') ?? null
  }
  const swallow = (/** @type {Event} */ event) => (event.preventDefault(), event.stopPropagation())
  addEventListener('pointerup', drop)
  addEventListener('pointercancel', drop)
  part('hand').addEventListener('dragstart', event => event.preventDefault())
}
