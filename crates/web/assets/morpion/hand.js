// Mouse, pen and fingers on the board: pointing, tapping, moving the paper, zooming.

import { dot } from './rules.js'

/** Pixels that a hand trembles. */
const TREMBLE = 6

/** How near to a line, in cells, still points at it. */
const NEAR_LINE = 0.3

/**
 * @param {import('./board.js').Board} board
 * @param {import('./choose.js').Chooser} chooser
 * @param {() => boolean} isMine whether the board shows the game that can be played
 */
export function hands(board, chooser, isMine) {
  const { element, view } = board
  /** The fingers on the board, where they are now. @type {Map<number, { x: number, y: number }>} */
  const fingers = new Map()
  let moved = false

  const at = (/** @type {PointerEvent} */ event) => ({ x: event.clientX, y: event.clientY })
  const reach = (/** @type {PointerEvent} */ event) => (event.pointerType === 'mouse' ? 0.5 : Math.max(0.5, 24 / view.scale))

  const middle = () => {
    const all = [...fingers.values()]
    const x = all.reduce((sum, finger) => sum + finger.x, 0) / all.length
    const y = all.reduce((sum, finger) => sum + finger.y, 0) / all.length
    const spread = all.reduce((sum, finger) => sum + Math.hypot(finger.x - x, finger.y - y), 0) / all.length
    return { x, y, spread }
  }

  /** A mouse points: the dot under it, or a line of the dot it comes from. @param {PointerEvent} event */
  function point(event) {
    const place = view.place(event.clientX, event.clientY)
    const cell = chooser.nearest(place, reach(event))
    const looked = chooser.chosen ? dot(chooser.chosen) : null
    if (cell && (!looked || cell.x !== looked.x || cell.y !== looked.y)) {
      const follows = chooser.options.length > 1 && chooser.point(place) < NEAR_LINE / 2
      if (!follows) chooser.look(chooser.through(cell), 0, false)
    }
    if (chooser.point(place) > (cell ? 0.75 : NEAR_LINE)) chooser.clear()
    element.classList.toggle('can-play', chooser.chosen !== null)
  }

  /** A finger taps: a dot, the same dot again, or one of its lines. @param {PointerEvent} event */
  function tap(event) {
    const place = view.place(event.clientX, event.clientY)
    const cell = chooser.nearest(place, reach(event))
    const looked = chooser.chosen ? dot(chooser.chosen) : null
    const isSame = cell && looked && cell.x === looked.x && cell.y === looked.y
    if (isSame && chooser.options.length > 1) return chooser.turn(1)
    if (!isSame && chooser.options.length > 1) {
      const before = chooser.index
      if (chooser.point(place) < Math.max(NEAR_LINE, 14 / view.scale)) {
        return before === chooser.index ? chooser.play() : undefined
      }
    }
    if (!cell) return chooser.clear()
    const options = chooser.through(cell)
    chooser.look(options, 0, true)
    if (options.length === 1) chooser.play()
  }

  element.addEventListener('pointerdown', event => {
    if (event.button !== 0) return
    element.focus({ preventScroll: true })
    element.setPointerCapture(event.pointerId)
    if (fingers.size === 0) moved = false
    fingers.set(event.pointerId, at(event))
  })

  element.addEventListener('pointermove', event => {
    const finger = fingers.get(event.pointerId)
    if (!finger) {
      if (event.pointerType === 'mouse' && isMine()) point(event)
      return
    }
    if (!moved && fingers.size === 1 && Math.hypot(event.clientX - finger.x, event.clientY - finger.y) < TREMBLE) return
    moved = true
    chooser.clear()
    const before = middle()
    fingers.set(event.pointerId, at(event))
    const after = middle()
    if (fingers.size > 1 && before.spread > 0) view.zoomAt(after.spread / before.spread, before.x, before.y)
    view.pan(after.x - before.x, after.y - before.y)
  })

  const lift = (/** @type {PointerEvent} */ event) => {
    const wasHere = fingers.delete(event.pointerId)
    if (!wasHere || moved || event.type === 'pointercancel' || !isMine()) return
    if (event.pointerType !== 'mouse') return tap(event)
    point(event)
    chooser.play()
  }
  element.addEventListener('pointerup', lift)
  element.addEventListener('pointercancel', lift)
  element.addEventListener('pointerleave', event => {
    if (event.pointerType === 'mouse' && fingers.size === 0) chooser.clear()
  })

  element.addEventListener(
    'wheel',
    event => {
      event.preventDefault()
      const pixels = event.deltaMode === 1 ? event.deltaY * 30 : event.deltaY
      view.zoomAt(Math.exp(-Math.max(-120, Math.min(120, pixels)) * 0.002), event.clientX, event.clientY)
    },
    { passive: false },
  )
}
