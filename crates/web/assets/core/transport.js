// Back and forth through the moves of a game: undo, redo, replay, and a slider.

import { button, input, isCalm, part } from './dom.js'
import { words } from './words.js'

/**
 * A game with so many moves, of which some are on the board. Where more than moves can be taken back, it has `undo` and `redo`.
 * @typedef {{ at: number, moves: { length: number }, go: (count: number) => void, undo?: () => void, redo?: () => void, canUndo?: boolean, canRedo?: boolean,
 *   listen: (listener: (change: any) => void) => void }} Moves
 */

/** Milliseconds between two moves of a replay. */
const BEAT = 110
const CALM_BEAT = 450

/** Plays the moves of a game one by one. */
export class Player {
  /** @param {Moves} game */
  constructor(game) {
    this.game = game
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.beat = undefined
    this.button = button('replay')
    this.button.onclick = () => this.toggle()
  }

  get isPlaying() {
    return this.beat !== undefined
  }

  toggle() {
    if (this.isPlaying) return this.stop()
    if (this.game.at === this.game.moves.length) this.game.go(0)
    this.start()
  }

  start() {
    this.stop()
    if (this.game.at >= this.game.moves.length) return
    this.beat = setInterval(() => this.#step(), isCalm() ? CALM_BEAT : BEAT)
    this.#show()
  }

  #step() {
    this.game.go(this.game.at + 1)
    if (this.game.at >= this.game.moves.length) this.stop()
  }

  stop() {
    clearInterval(this.beat)
    this.beat = undefined
    this.#show()
  }

  #show() {
    this.button.classList.toggle('playing', this.isPlaying)
    this.button.ariaLabel = words(this.isPlaying ? 'core.pause' : 'shared.replay')
  }
}

/** The buttons and the slider. @param {Moves} game @param {Player} player */
export function transport(game, player) {
  const slider = input('slider')
  const [undo, redo] = [button('undo'), button('redo')]
  undo.onclick = () => (player.stop(), game.undo ? game.undo() : game.go(game.at - 1))
  redo.onclick = () => (player.stop(), game.redo ? game.redo() : game.go(game.at + 1))
  slider.oninput = () => (player.stop(), game.go(slider.valueAsNumber))
  const show = () => {
    const { at, moves } = game
    slider.max = String(moves.length)
    slider.value = String(at)
    slider.ariaValueText = words('core.move-of', { at, all: moves.length })
    undo.disabled = !(game.canUndo ?? at > 0)
    redo.disabled = !(game.canRedo ?? at < moves.length)
    button('replay').disabled = moves.length === 0
    part('place').textContent = `${at} / ${moves.length}`
  }
  game.listen(show)
  show()
}
