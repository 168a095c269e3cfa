// Today's board: some lines drawn by lot, the same for everybody, and more lines to be drawn than random games draw.

import { lots, madeToday, name, note, today } from '../core/daily.js'
import { part } from '../core/dom.js'
import { words } from '../core/words.js'
import { read, write } from './notation.js'
import { Play } from './play.js'
import { VARIANTS } from './rules.js'

/** Lines that may not touch: a game takes some minutes. */
const variant = /** @type {import('./rules.js').Variant} */ (VARIANTS['5D'])

/** The lines that are given, and the random games that are to be beaten. */
const GIVEN = 8
const GAMES = 100

/** How many random games are played without a pause. */
const AT_ONCE = 5

/** @typedef {{ texts: string[], chance: number }} Board */

/** @param {string} date @returns {Promise<Board>} */
async function make(date) {
  const below = lots(Number(date.replaceAll('-', '')))
  const { moves } = new Play(variant, []).finish(below, GIVEN)
  let chance = 0
  for (let game = 0; game < GAMES; game++) {
    if (game % AT_ONCE === 0) await new Promise(done => setTimeout(done, 0))
    chance = Math.max(chance, new Play(variant, moves).finish(below).moves.length)
  }
  return { texts: moves.map(move => write(variant, move)), chance }
}

/** @param {import('./game.js').Game} game */
export function daily(game) {
  const made = madeToday('Morpion')
  /** @type {Board | undefined} */
  let board = made?.opening && { texts: made.opening, chance: Number(made.aim) }
  const show = () => {
    if (!board) return
    const texts = game.played.map(move => write(game.variant, move))
    const isIts = game.variant === variant && board.texts.every((text, index) => texts[index] === text)
    part('daily').hidden = !isIts
    if (!isIts) return
    const { chance } = board
    const aim = words('morpion.todays-board', { given: GIVEN, games: GAMES, chance })
    part('daily').textContent = `${aim} ${words(game.at > chance ? 'morpion.yours-is-longer' : 'morpion.draw-more')}`
    if (Object.keys(game.provenance).length === 0) note(variant.problem, texts, words('morpion.lines-by-chance', { n: game.at, chance }), game.isOver)
  }
  game.listen(show)
  show()
  return {
    /** Opens it. */
    async open() {
      if (!board || !madeToday('Morpion')) board = await make(today())
      name('Morpion', variant.problem, board.texts, String(board.chance))
      game.open(variant, board.texts.map(text => read(variant, text)))
    },
  }
}
