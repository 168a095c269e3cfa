// Your games: the last ones are kept in the browser, by problem, and a game that another one replaces can be brought back.

import { pageOf } from './address.js'
import { button, find, html, part } from './dom.js'
import { complain, does, say } from './page.js'
import { choices, tab } from './prefer.js'
import { ago, shortName } from './text.js'
import { words } from './words.js'

/**
 * A game as it is kept: all of its moves as texts.
 * @typedef {{ problem: string, moves: string[], at?: number, title?: string, provenance?: Record<string, unknown>, strokes?: string[] }} Kept
 * @typedef {Kept & { id: string, worth: string, date: string }} Entry
 *
 * The page of a game: the game now, its value in a few words, and how to open a game.
 * @typedef {{ now: () => Kept, worth: () => string, open: (game: Kept) => unknown,
 *   listen: (listener: (change: { opened: boolean }) => void) => void }} Owner
 */

/** How many games are kept. */
const MOST = 50

/** Characters of the longest game that is kept, with the puzzle in its name. */
const LONGEST = 60_000

/** Your games, the latest first. @returns {Entry[]} */
export const kept = () => choices.get('games', /** @type {Entry[]} */ ([]))

/** Where a kept game opens. @param {Entry} entry */
export const addressOf = entry => `${pageOf(entry.problem)}#game-${entry.id}`

/** Whether nothing has been done in a game. @param {Kept} game */
const isFresh = ({ moves, strokes }) => moves.length === 0 && !strokes?.length

/** @param {Kept} one @param {Kept} other */
const isSame = (one, other) => one.problem === other.problem && one.moves.join() === other.moves.join() && (one.strokes ?? []).join() === (other.strokes ?? []).join()

export class Shelf {
  /** @param {Owner} owner */
  constructor(owner) {
    this.owner = owner
    /** The game before the last change. @type {Kept | null} */
    this.last = null
    /** The game that was replaced last. @type {Kept | null} */
    this.replaced = null
    this.id = tab.get(`entry${location.pathname}`, '')
    owner.listen(({ opened }) => this.#changed(opened))
    does(button('yours'), () => this.#list())
    does(button('back'), () => this.back())
  }

  /** @param {boolean} opened */
  #changed(opened) {
    const [before, now] = [this.last, this.owner.now()]
    this.last = now
    // The first game of a page is the one that this tab had, which has its entry, or that of its address, which has none.
    if (opened && before) this.#opened(before, now)
    else if (opened && kept().some(entry => entry.id === this.id && !isSame(entry, now))) this.#enter('')
    if (!before || !isSame(before, now)) this.#keep(now)
  }

  /** @param {Kept} before @param {Kept} now */
  #opened(before, now) {
    if (isSame(before, now)) return
    const found = kept().find(entry => isSame(entry, now))
    this.#enter(found?.id ?? '')
    if (isFresh(before)) return
    this.replaced = before
    button('back').hidden = false
    say(words('core.game-before-is-kept'), 'note', { name: words('core.bring-it-back'), action: () => this.back() })
  }

  /** @param {string} id */
  #enter(id) {
    this.id = id || `${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`
    tab.set(`entry${location.pathname}`, this.id)
  }

  /** Records are in their list already, and runs in theirs. @param {Kept} game */
  #keep(game) {
    const { problem, moves, title, strokes = [] } = game
    if (isFresh(game) || title || problem.length + moves.join().length + strokes.join().length > LONGEST) return
    if (!this.id) this.#enter('')
    const others = kept()
    const mine = others.find(entry => entry.id === this.id)
    if (mine && isSame(mine, game)) return
    const entry = { id: this.id, problem, moves, strokes, worth: this.owner.worth(), date: new Date().toISOString() }
    choices.set('games', [entry, ...others.filter(other => other !== mine)].slice(0, MOST))
  }

  /** Whether there is a game to bring back. */
  get canGoBack() {
    return this.replaced !== null
  }

  /** Brings back the game that was replaced last; the present one takes its place. */
  async back() {
    const { replaced } = this
    this.replaced = null
    button('back').hidden = true
    if (replaced) await this.owner.open(replaced)
  }

  /** Opens the game of an address such as #game-k3x; false if there is none. @param {string} text */
  async recall(text) {
    const id = text.match(/^game-(\w+)$/)?.[1]
    const entry = id && kept().find(entry => entry.id === id)
    if (!entry) return false
    this.#enter(entry.id)
    await this.owner.open(entry)
    return true
  }

  #list() {
    const all = kept()
    const problems = [...new Set(all.map(entry => entry.problem))]
    const dialog = find('yours-dialog', HTMLDialogElement)
    const item = (/** @type {Entry} */ entry) => {
      const click = () => {
        dialog.close()
        const isHere = pageOf(entry.problem) === pageOf(this.owner.now().problem)
        if (isHere) Promise.resolve(this.owner.open(entry)).catch(complain)
        else location.href = addressOf(entry)
      }
      const now = entry.id === this.id ? ` · ${words('core.on-the-board-now')}` : ''
      return html('li', {}, html('button', { type: 'button', class: 'card plain', click }, html('span', {}, entry.worth), html('small', {}, `${ago(entry.date)}${now}`)))
    }
    part('yours-list').replaceChildren(
      ...problems.map(problem =>
        html('section', { 'data-problem': problem }, html('h3', {}, shortName(problem)), html('ul', { class: 'cards' }, ...all.filter(entry => entry.problem === problem).map(item)))))
    part('yours-empty').hidden = all.length > 0
    dialog.showModal()
  }
}
