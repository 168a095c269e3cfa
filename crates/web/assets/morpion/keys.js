// The keyboard: on the board, and everywhere.

import { find } from '../core/dom.js'

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }

/** Whether keys belong to what has the focus. @param {EventTarget | null} target */
function isTyping(target) {
  return target instanceof HTMLElement && target.matches('input:not([type=checkbox]):not([type=range]), select, textarea')
}

/**
 * @param {import('./board.js').Board} board
 * @param {import('./choose.js').Chooser} chooser
 * @param {import('./game.js').Game} game
 * @param {() => boolean} isMine
 */
export function boardKeys(board, chooser, game, isMine) {
  board.element.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const arrow = ARROWS[event.key]
    if (arrow && event.shiftKey) board.view.pan(-60 * arrow[0], -60 * arrow[1])
    else if (arrow && isMine()) chooser.step(...arrow)
    else if (event.key === ' ') chooser.turn(event.shiftKey ? -1 : 1)
    else if (event.key === 'Enter') chooser.play()
    else if (event.key === 'Escape') chooser.clear()
    else if (event.key === 'Home') game.go(0)
    else if (event.key === 'End') game.go(game.moves.length)
    else return
    event.preventDefault()
  })
}

/**
 * Keys that work everywhere but where people type.
 * @param {Record<string, () => void>} actions by key
 * @param {import('./game.js').Game} game
 */
export function pageKeys(actions, game) {
  addEventListener('keydown', event => {
    if (isTyping(event.target) || document.querySelector('dialog[open]')) return
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
    if (event.ctrlKey || event.metaKey) {
      if (key === 'z') game.go(game.at + (event.shiftKey ? 1 : -1))
      else if (key === 'y') game.go(game.at + 1)
      else return
    } else if (event.altKey || !actions[key]) return
    else actions[key]?.()
    event.preventDefault()
  })
  find('keys', HTMLButtonElement).onclick = () => find('keys-dialog', HTMLDialogElement).showModal()
}
