// A nested search of level 1 on Morpion Solitaire, in the page itself and in small slices, so that the page stays quick. The server's
// engine does the same some thousand times faster.

import { Play } from '../morpion/play.js'

/** @typedef {import('../morpion/rules.js').Move} Move */
/** @typedef {import('../morpion/rules.js').Variant} Variant */

/** The best game so far, and the random games so far: given again and again, whenever there is time. @param {Variant} variant */
export function* search(variant) {
  /** @type {Move[]} */
  let best = []
  let games = 0
  for (;;) {
    /** The best game of this search, which is followed. @type {Move[]} */
    let followed = []
    for (let depth = 0; ; depth++) {
      const here = new Play(variant, followed.slice(0, depth))
      if (here.legal.length === 0) break
      for (const move of here.legal) {
        const game = new Play(variant, here.moves)
        game.play(move)
        game.finish(count => Math.floor(Math.random() * count))
        games += 1
        if (game.moves.length > followed.length) followed = game.moves
        if (game.moves.length > best.length) best = game.moves
        yield { best, games }
      }
    }
  }
}
