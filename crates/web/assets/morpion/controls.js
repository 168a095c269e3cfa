// What stands beside and below the board: the score, the moves, what is to be seen.

import { button, find, input, part } from '../core/dom.js'
import { distance, known } from '../core/known.js'
import { announce, complain } from '../core/page.js'
import { choices } from '../core/prefer.js'
import { plural } from '../core/text.js'
import { transport } from '../core/transport.js'
import { write } from './notation.js'
import { VARIANTS } from './rules.js'

/** @typedef {import('./game.js').Game} Game */

/** What is to be seen on the board, as a person has chosen. */
export class Sights {
  /** @param {() => void} changed */
  constructor(changed) {
    this.places = input('see-places')
    this.numbers = input('see-numbers')
    this.ages = input('see-ages')
    const shortcut = button('toggle-places')
    const mark = () => (shortcut.ariaPressed = String(this.places.checked))
    shortcut.onclick = () => this.places.click()
    const all = { places: false, numbers: true, ages: false }
    for (const [name, usual] of Object.entries(all)) {
      const box = this[/** @type {'places' | 'numbers' | 'ages'} */ (name)]
      box.checked = choices.get(`see-${name}`, usual)
      box.onchange = () => {
        choices.set(`see-${name}`, box.checked)
        mark()
        changed()
      }
    }
    mark()
  }

  /** @param {HTMLInputElement} box */
  toggle(box) {
    box.click()
  }
}

/** The score and the slider. @param {Game} game @param {import('../core/transport.js').Player} player */
export function controls(game, player) {
  transport(game, player)
  for (const choice of part('variants').querySelectorAll('button')) {
    choice.onclick = () => {
      const variant = VARIANTS[choice.dataset.variant ?? '']
      if (variant && variant !== game.variant) (player.stop(), game.open(variant, []))
    }
  }

  async function standing() {
    const { variant, at } = game
    try {
      const { record } = await known(variant.problem)
      if (game.variant !== variant || game.at !== at) return
      part('distance').textContent = distance(at, record)
      part('distance').title = record?.holder ?? ''
    } catch (error) {
      complain(error)
    }
  }

  function show() {
    const { at, variant, legal, title, provenance } = game
    const open = legal.length
    part('score').textContent = String(at)
    part('unit').textContent = at === 1 ? 'move' : 'moves'
    part('left').textContent = open === 0 ? 'The game is over: no line can be drawn.' : `${plural(open, 'line')} can be drawn.`
    part('title').textContent = title || 'Morpion Solitaire'
    const whence = [provenance['author'], provenance['search'], provenance['date']].filter(Boolean).join(' · ')
    part('whence').textContent = whence
    part('whence').hidden = whence === ''
    for (const choice of part('variants').querySelectorAll('button')) {
      choice.ariaPressed = String(choice.dataset.variant === variant.name)
    }
    void standing()
  }

  game.listen(({ forward }) => {
    show()
    const last = game.moves[game.at - 1]
    if (forward && last && !player.isPlaying) {
      announce(`Move ${game.at}: ${write(game.variant, last)}. ${part('left').textContent}`)
    }
  })
  show()
  find('board', SVGSVGElement).classList.add('ready')
}
