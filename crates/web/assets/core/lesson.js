// The first visit to a game: a sentence on the board says what to do, until it has been done. And the rules in pictures.

import { button, find, html, part } from './dom.js'
import { choices } from './prefer.js'

/** The games whose first lesson is over. @returns {string[]} */
const seen = () => choices.get('seen', /** @type {string[]} */ ([]))

export class Lesson {
  /** @param {string} game */
  constructor(game) {
    this.game = game
    /** Whether somebody is here for the first time. */
    this.isOn = !seen().includes(game)
    button('lesson-close').onclick = () => this.end()
  }

  /** Says what to do now. @param {string} text */
  say(text) {
    if (!this.isOn) return
    part('lesson-text').textContent = text
    part('lesson').hidden = false
    document.body.classList.add('learning')
  }

  /** What was to be learnt has been done. */
  end() {
    this.isOn = false
    part('lesson').hidden = true
    document.body.classList.remove('learning')
    if (!seen().includes(this.game)) choices.set('seen', [...seen(), this.game])
  }
}

/** @typedef {{ picture: Element, text: string }} Rule */

/** The rules, each with a picture, behind the button. @param {() => Rule[] | Promise<Rule[]>} rules made when they are first looked at */
export function showsRules(rules) {
  button('rules').onclick = async () => {
    const list = part('rules-list')
    if (list.children.length === 0) {
      list.replaceChildren(...(await rules()).map(({ picture, text }) => {
        picture.setAttribute('aria-hidden', 'true')
        return html('li', {}, picture, html('p', {}, text))
      }))
    }
    find('rules-dialog', HTMLDialogElement).showModal()
  }
}
