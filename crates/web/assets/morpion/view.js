// Which part of the lattice is seen: fitted to the game, or zoomed and moved by hand.

import { isCalm } from '../core/dom.js'

/** The distance between two neighbouring cells in the units of the drawing, as in exported pictures. */
export const CELL = 40

/** Pixels of a cell, least and most. */
const NEAR = 140
const FAR = 7

/** Free paper around a game that is fitted, in cells. */
const MARGIN = 1.6

export class View {
  /** @param {SVGSVGElement} board */
  constructor(board) {
    this.board = board
    /** The cell in the middle, and pixels of a cell. */
    this.x = 4.5
    this.y = 4.5
    this.scale = 30
    /** Whether the view follows the game. */
    this.fits = true
    /** What is to be seen, in cells. */
    this.box = { left: 0, top: 0, right: 9, bottom: 9 }
    this.frame = 0
    /** Pixels at the top that something covers. */
    this.inset = 0
    /** @type {(() => void)[]} */
    this.listeners = []
    new ResizeObserver(() => (this.fits ? this.#fit(false) : this.#show())).observe(board)
  }

  /** @param {{ left: number, top: number, right: number, bottom: number }} box */
  include(box) {
    this.box = box
    if (this.fits) this.#fit(true)
  }

  /** Lets the view follow the game again. */
  fit() {
    this.fits = true
    this.#fit(true)
  }

  #size() {
    const { width, height } = this.board.getBoundingClientRect()
    return { width: Math.max(width, 1), height: Math.max(height, 1) }
  }

  /** @param {boolean} smoothly */
  #fit(smoothly) {
    const { width, height } = this.#size()
    const { left, top, right, bottom } = this.box
    const across = width / (right - left + 2 * MARGIN)
    const down = (height - this.inset) / (bottom - top + 2 * MARGIN)
    const scale = Math.max(FAR, Math.min(across, down, NEAR))
    this.#to({ x: (left + right) / 2, y: (top + bottom) / 2 - this.inset / 2 / scale, scale }, smoothly)
  }

  /** @param {{ x: number, y: number, scale: number }} goal @param {boolean} smoothly */
  #to(goal, smoothly) {
    cancelAnimationFrame(this.frame)
    const from = { x: this.x, y: this.y, scale: this.scale }
    const near = Math.abs(from.scale / goal.scale - 1) < 0.001 && Math.hypot(from.x - goal.x, from.y - goal.y) < 0.01
    if (!smoothly || isCalm() || near) {
      Object.assign(this, goal)
      return this.#show()
    }
    const began = performance.now()
    const step = (/** @type {number} */ now) => {
      const share = Math.max(0, Math.min((now - began) / 350, 1))
      const eased = 1 - (1 - share) ** 3
      this.x = from.x + (goal.x - from.x) * eased
      this.y = from.y + (goal.y - from.y) * eased
      this.scale = from.scale * (goal.scale / from.scale) ** eased
      this.#show()
      if (share < 1) this.frame = requestAnimationFrame(step)
    }
    this.frame = requestAnimationFrame(step)
  }

  #show() {
    const { width, height } = this.#size()
    const [w, h] = [(width / this.scale) * CELL, (height / this.scale) * CELL]
    const numbers = [this.x * CELL - w / 2, this.y * CELL - h / 2, w, h]
    this.board.setAttribute('viewBox', numbers.map(number => number.toFixed(2)).join(' '))
    this.board.classList.toggle('far', this.scale < 17)
    for (const listener of this.listeners) listener()
  }

  /** The place, in cells, of a point of the screen. @param {number} clientX @param {number} clientY */
  place(clientX, clientY) {
    const { left, top, width, height } = this.board.getBoundingClientRect()
    return {
      x: this.x + (clientX - left - width / 2) / this.scale,
      y: this.y + (clientY - top - height / 2) / this.scale,
    }
  }

  /** Zooms so that what is under a point stays there. @param {number} factor @param {number} clientX @param {number} clientY */
  zoomAt(factor, clientX, clientY) {
    const before = this.place(clientX, clientY)
    this.#byHand()
    this.scale = Math.max(FAR, Math.min(NEAR, this.scale * factor))
    const after = this.place(clientX, clientY)
    this.x += before.x - after.x
    this.y += before.y - after.y
    this.#show()
  }

  /** Zooms around the middle. @param {number} factor */
  zoom(factor) {
    this.fits = false
    this.#to({ x: this.x, y: this.y, scale: Math.max(FAR, Math.min(NEAR, this.scale * factor)) }, true)
  }

  /** Moves the paper by pixels. @param {number} dx @param {number} dy */
  pan(dx, dy) {
    this.#byHand()
    this.x -= dx / this.scale
    this.y -= dy / this.scale
    this.#show()
  }

  /** Moves the view so that a cell is seen. @param {number} x @param {number} y */
  reveal(x, y) {
    const { width, height } = this.#size()
    const [across, down] = [width / this.scale / 2 - 1, height / this.scale / 2 - 1]
    const goal = {
      x: Math.max(x - across, Math.min(x + across, this.x)),
      y: Math.max(y - down, Math.min(y + down, this.y)),
      scale: this.scale,
    }
    if (goal.x !== this.x || goal.y !== this.y) this.#to(goal, true)
  }

  #byHand() {
    cancelAnimationFrame(this.frame)
    this.fits = false
  }
}
