// Games of Morpion Solitaire move by move, as searches in the page play them.

import { Position, dot, same } from './rules.js'

/** @typedef {import('./rules.js').Move} Move */
/** @typedef {import('./rules.js').Variant} Variant */

/** A position with its legal moves, updated move by move. */
export class Play {
  /** @param {Variant} variant @param {Move[]} moves */
  constructor(variant, moves) {
    this.position = new Position(variant)
    this.legal = this.position.legal()
    this.moves = /** @type {Move[]} */ ([])
    for (const move of moves) this.play(move)
  }

  /** @param {Move} move a legal one */
  play(move) {
    this.position.play(move)
    this.moves.push(move)
    const still = this.legal.filter(other => this.position.isLegal(other))
    const fresh = this.position.through(dot(move)).filter(other => !still.some(known => same(known, other)))
    this.legal = [...still, ...fresh]
  }

  /** Plays random moves to the end, or so many. @param {(count: number) => number} below a random number below another one @param {number} [most] */
  finish(below, most = Infinity) {
    while (this.legal.length > 0 && this.moves.length < most) this.play(/** @type {Move} */ (this.legal[below(this.legal.length)]))
    return this
  }
}
