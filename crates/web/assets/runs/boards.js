// A run as small boards: the best game of each family that a hunt has kept, or of each of its runs, or the steps of a single one.

import * as api from '../core/api.js'
import { html, part } from '../core/dom.js'
import { known } from '../core/known.js'
import { isDark } from '../core/page.js'
import { ago, worth } from '../core/text.js'
import { words } from '../core/words.js'
import { read } from '../morpion/notation.js'
import { cross, dot, variantOf } from '../morpion/rules.js'

/** How many boards are shown. */
const MOST = 12

/** Games that are this much shorter than the best belong no more to the best ones. */
const NEAR = 4

/** How often a hunt is asked for what it has kept, in milliseconds. */
const PULSE = 5000

/**
 * A game that a run has found.
 * @typedef {{ moves: string[], score: number, words: string, title: string }} Found
 */

/** The games to be shown, the best first: of every run its latest, or the steps of a single one. @param {api.Account} run @returns {Found[]} */
function found(run) {
  const steps = run.improvements.flatMap(({ moves, score, meaning, run: number = 1 }) => (moves ? [{ moves, score, number, words: worth(score, meaning) }] : []))
  const isSeveral = run.runs > 1
  const latest = isSeveral ? [...new Map(steps.map(step => [step.number, step])).values()] : steps.slice(-MOST)
  const best = isSeveral ? latest.sort((one, other) => other.moves.length - one.moves.length) : latest.toReversed()
  return best.slice(0, MOST).map(step => ({ ...step, title: isSeveral ? words('runs.run-worth', { run: step.number, worth: step.words }) : step.words }))
}

/**
 * What is the same for two games of Morpion Solitaire with the same dots, also if one is a mirror image of the other, or turned.
 * @param {import('../morpion/rules.js').Variant} variant @param {string[]} moves
 */
function family(variant, moves) {
  const centre = Math.max(...cross(variant).map(({ x }) => x))
  // Twice the distance from the centre, which may lie between two cells.
  const dots = moves.map(text => dot(read(variant, text))).map(({ x, y }) => [2 * x - centre, 2 * y - centre])
  const forms = [1, -1].flatMap(sign => [1, -1].flatMap(other => [false, true].map(turned =>
    dots.map(([x = 0, y = 0]) => (turned ? [sign * y, other * x] : [sign * x, other * y]).join()).sort().join(' '))))
  return forms.sort()[0] ?? ''
}

/** The games of a run by family. @param {api.Account} run */
function families(run) {
  const variant = variantOf(run.problem)
  if (!variant) return ''
  const games = run.improvements.flatMap(({ moves }) => (moves ? [moves] : []))
  const longest = Math.max(0, ...games.map(({ length }) => length))
  const near = games.filter(({ length }) => length > longest - NEAR)
  const count = new Set(near.map(moves => family(variant, moves))).size
  return near.length > 1 ? words('runs.families', { n: near.length, by: NEAR - 1, families: words('runs.count-families', { n: count }) }) : ''
}

/** The games that a hunt has kept: nothing where it is none, or where nobody can tell. @param {api.Account} run */
async function kept(run) {
  const { finds } = await api.finds(run.id).catch(() => ({ finds: [] }))
  const boards = finds.slice(0, MOST).map(({ score, moves, meaning, found }) =>
    ({ moves, score, words: '', title: words('runs.found-when', { worth: worth(score, meaning), when: ago(found) }) }))
  return { boards, about: words('runs.families-kept', { n: finds.length }) }
}

export class Boards {
  constructor() {
    /** The pictures, by game. @type {Map<string, HTMLElement>} */
    this.pictures = new Map()
    this.problem = ''
    /** What is shown now: news that change nothing of it are frequent. */
    this.shown = ''
    /** The number of the hunt that is shown: it keeps games that are no improvements. */
    this.hunt = 0
  }

  /** @param {api.Account} run */
  async show(run) {
    const shown = [run.id, run.improvements.length, isDark(), this.hunt === run.id ? Math.floor(Date.now() / PULSE) : 0].join()
    if (shown === this.shown) return
    this.shown = shown
    try {
      await this.#draw(run, shown)
    } catch (error) {
      // The next news of the run try again.
      if (shown === this.shown) this.shown = ''
      throw error
    }
  }

  /** @param {api.Account} run @param {string} shown what is shown with this run; other news may take its place meanwhile */
  async #draw(run, shown) {
    const key = `${run.id} ${run.problem}`
    if (key !== this.problem) {
      this.#forget(() => true)
      part('boards').hidden = true
      part('boards-list').replaceChildren()
    }
    this.problem = key
    const { formats } = await known(run.problem).catch(() => ({ formats: [] }))
    const hasPictures = formats.some(({ name }) => name === 'svg')
    // A hunt is one run; what it has kept says more of it than its steps.
    const finds = hasPictures && run.runs === 1 ? await kept(run) : { boards: [], about: '' }
    // What is known better by now is being shown already.
    if (shown !== this.shown) return
    const isHunt = finds.boards.length > 1
    this.hunt = isHunt ? run.id : 0
    const games = !hasPictures ? [] : isHunt ? finds.boards : found(run)
    part('boards').hidden = games.length < 2
    if (games.length < 2) return
    const items = await Promise.all(games.map(game => this.#picture(run.problem, game)))
    if (shown !== this.shown) return
    part('boards-list').replaceChildren(...items)
    this.#forget(item => !items.includes(item))
    part('boards-title').textContent = words(isHunt ? 'runs.the-best-of-each-family' : run.runs > 1 ? 'runs.the-best-of-each-run' : 'runs.step-by-step-latest')
    part('families').textContent = isHunt ? finds.about : families(run)
  }

  /** Drops pictures that are not shown any more. @param {(item: HTMLElement) => boolean} isOld */
  #forget(isOld) {
    for (const [key, item] of this.pictures) {
      if (!isOld(item)) continue
      URL.revokeObjectURL(item.querySelector('img')?.src ?? '')
      this.pictures.delete(key)
    }
  }

  /** @param {string} problem @param {Found} game */
  async #picture(problem, { moves, title }) {
    const theme = isDark() ? 'dark' : 'light'
    const key = `${theme} ${moves.join()}`
    const drawn = this.pictures.get(key)
    if (drawn) return drawn
    const { file } = await api.exported({ problem, moves, format: 'svg', theme, caption: '' })
    const item = html('li', {}, html('figure', {}, html('img', { src: URL.createObjectURL(file), alt: '' }), html('figcaption', {}, title)))
    this.pictures.set(key, item)
    return item
  }
}
