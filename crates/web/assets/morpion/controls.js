// What stands beside and below the board: the score, the moves, what is to be seen.

import { button, find, input, part } from '../core/dom.js'
import { distance, known } from '../core/known.js'
import { announce, complain } from '../core/page.js'
import { choices } from '../core/prefer.js'
import { transport } from '../core/transport.js'
import { words } from '../core/words.js'
import { write } from './notation.js'
import { VARIANTS } from './rules.js'

/** @typedef {import('./game.js').Game} Game */

/** The variants in words. @type {Record<string, Parameters<typeof words>[0]>} */
const WORDS = { '5T': 'morpion.about-5t', '5D': 'morpion.about-5d', '4T': 'morpion.about-4t', '4D': 'morpion.about-4d' }

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
    part('unit').textContent = words('morpion.unit', { n: at })
    part('variant-words').textContent = words(WORDS[variant.name] ?? 'shared.morpion-solitaire')
    part('left').textContent = open === 0 ? words('morpion.is-over') : words('morpion.lines-can-be-drawn', { n: open })
    part('title').textContent = title || words('shared.morpion-solitaire')
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
      announce(`${words('morpion.move-is', { at: game.at, move: write(game.variant, last) })} ${part('left').textContent}`)
    }
  })
  show()
  find('board', SVGSVGElement).classList.add('ready')
}
