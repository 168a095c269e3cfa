// The keyboard on the board.

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }

/**
 * @param {import('./board.js').Board} board
 * @param {import('./choose.js').Chooser} chooser
 * @param {() => boolean} isMine
 */
export function boardKeys(board, chooser, isMine) {
  board.element.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const arrow = ARROWS[event.key]
    if (arrow && event.shiftKey) board.view.pan(-60 * arrow[0], -60 * arrow[1])
    else if (arrow && isMine()) chooser.step(...arrow)
    else if (event.key === ' ') chooser.turn(event.shiftKey ? -1 : 1)
    else if (event.key === 'Enter') chooser.play()
    else if (event.key === 'Escape') chooser.clear()
    else return
    event.preventDefault()
  })
}
