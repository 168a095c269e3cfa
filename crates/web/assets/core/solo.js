// What the pages of puzzles have in common: a game, searches, and which of them is seen.

import * as api from './api.js'
import { linkText, pack, runOf, unpack } from './address.js'
import { note } from './daily.js'
import { button, find, isCalm, part } from './dom.js'
import { Searches } from './events.js'
import { searchForm } from './form.js'
import { Game } from './game.js'
import { pageKeys } from './keys.js'
import { library } from './library.js'
import { complain, dialogs, does, isNarrow, say, themes } from './page.js'
import { searchPanel } from './panel.js'
import { tab } from './prefer.js'
import { races } from './races.js'
import { Shelf } from './shelf.js'
import { worth } from './text.js'
import { helpers } from './think.js'
import { Player, transport } from './transport.js'
import { Watch } from './watch.js'
import { words } from './words.js'

/**
 * What a page says of its problem. `load` makes a problem ready to be drawn, and throws where it is none of this page's; `begin` makes the
 * puzzle of a first visit, where `first` is only its kind; `draw` draws a game of the problem that was loaded last; `standing` says in a few words how far the game is; `label` says what the best game of a search
 * is worth, where its number says little; `paste` takes the text of a puzzle, if the page knows such.
 * @typedef {{ first: string, begin?: () => Promise<string>, owns: (problem: string) => boolean, load: (problem: string) => Promise<void>,
 *   draw: (moves: string[], how: { forward: boolean, isSearch: boolean }) => void, isOver: () => boolean,
 *   point: (move: string | null) => void, promise: (found: api.Hint) => string, worth: (opened: api.Opened) => string,
 *   standing: (moves: string[]) => string, label?: (score: number) => string, paste?: (text: string) => Promise<{ problem: string }> }} Host
 */

/** Whether a text is a game as a file rather than a puzzle. @param {string} text */
const isGame = text => /^(\ufeff?# problem: |\s*\{|\s*<|\ufffdPNG|PNG)/.test(text.slice(0, 200))

export class Solo {
  /** @param {Host} host */
  constructor(host) {
    this.host = host
    this.game = new Game()
    this.searches = new Searches()
    this.showsSearch = false
    /** The problem that was loaded last. */
    this.loaded = ''
    themes()
    dialogs()
    searchPanel()
    this.player = new Player(this.game)
    const { game } = this
    /** @type {import('./watch.js').Subject} */
    this.subject = { problem: () => game.problem || host.first, moves: () => game.played, owns: host.owns, listen: listener => game.listen(listener) }
    this.watch = new Watch(this.searches, this.subject, better => this.#better(better))
    transport(game, this.player)
    game.listen(({ forward, opened }) => {
      if (opened) this.rise()
      if (opened || this.showsSearch) this.show(false)
      else this.draw(forward)
      tab.set(`game${location.pathname}`, { packed: pack(game.problem, game.moves), at: game.at, title: game.title, strokes: game.strokes })
    })
    this.help = helpers(
      { ...this.subject, isOver: host.isOver, play: move => game.play(move), extend: (moves, search) => game.extend(moves, { search }), point: host.point,
        promise: host.promise, showMine: () => this.show(false) },
      this.player, this.searches, run => this.follow(run), () => this.rise())
    /** Your games. */
    this.shelf = new Shelf({
      now: () => ({ problem: game.problem, moves: game.moves, at: game.at, title: game.title, provenance: game.provenance, strokes: game.strokes }),
      worth: () => host.standing(game.moves),
      open: ({ problem, moves, ...about }) => this.open(problem, moves, about),
      listen: listener => game.listen(listener),
    })
    // Today's boards are remembered, as far as a person has played them.
    game.listen(() => {
      if (game.at > 0 && Object.keys(game.provenance).length === 0) note(game.problem, game.played, host.standing(game.played), host.isOver())
    })
    if (document.getElementById('race')) {
      races({
        problem: this.subject.problem,
        fresh: () => (this.player.stop(), game.open(game.problem, [])),
        standing: () => host.standing(game.played),
        isOver: host.isOver,
        label: host.label,
        listen: listener => game.listen(listener),
      }, this.searches)
    }
    this.#library()
    searchForm(this.subject, run => this.follow(run)).catch(complain)
    button('show-mine').onclick = () => this.show(false)
    button('show-search').onclick = () => this.show(true)
    does(button('take'), async () => {
      const { shown } = this.watch
      if (shown) await this.open(shown.problem, shown.moves, { title: words('core.run', { run: String(shown.id) }), provenance: api.provenanceOf(shown) })
    })
    addEventListener('theme', () => this.draw())
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw())
  }

  #library() {
    const { game, host } = this
    library({
      problem: this.subject.problem,
      moves: () => game.played,
      provenance: () => game.provenance,
      pack: () => pack(game.problem, game.played),
      fresh: () => (this.player.stop(), game.open(game.problem, [])),
      worth: host.worth,
      show: ({ problem, moves, title, provenance }, replays) =>
        this.open(problem, moves, { title, provenance, at: replays ? 0 : moves.length }).then(() => replays && this.player.start()),
      takes: host.paste && (async text => {
        if (isGame(text) || !host.paste) return false
        const { problem } = await host.paste(text)
        await this.open(problem, [])
        return true
      }),
    })
  }

  /** @param {boolean} better */
  #better(better) {
    const { shown } = this.watch
    part('whose').hidden = shown === null
    const best = shown?.best ?? null
    button('show-search').textContent = words('core.search-worth', { worth: worth(best, shown?.meaning, this.host.label) })
    if (this.showsSearch && better) this.draw()
  }

  /** Opens a game, once its problem is ready. @param {string} problem @param {string[]} moves @param {import('./game.js').About} [about] */
  async open(problem, moves, about) {
    if (!this.host.owns(problem)) throw new Error(words('core.not-shown-here', { problem: problem.split(':')[0] ?? '' }))
    this.player.stop()
    await this.#load(problem)
    this.game.open(problem, moves, about)
  }

  /** @param {string} problem */
  async #load(problem) {
    if (this.loaded === problem) return
    await this.host.load(problem)
    this.loaded = problem
  }

  /** @param {boolean} [forward] */
  draw(forward = false) {
    const { shown } = this.watch
    const isSearch = this.showsSearch && shown !== null
    const [problem, moves] = isSearch ? [shown.problem, shown.moves] : [this.game.problem, this.game.played]
    if (problem === '') return
    if (problem === this.loaded) this.host.draw(moves, { forward, isSearch })
    else this.#load(problem).then(() => this.draw(), complain)
  }

  /** Shows the search that is watched, or the game. @param {boolean} search */
  show(search) {
    this.showsSearch = search && this.watch.shown !== null
    part('whose').hidden = this.watch.shown === null
    button('show-mine').ariaPressed = String(!this.showsSearch)
    button('show-search').ariaPressed = String(this.showsSearch)
    document.body.classList.toggle('watching', this.showsSearch)
    if (this.showsSearch) part('side').scrollTop = 0
    this.draw()
  }

  /** @param {api.Live} run */
  follow(run) {
    this.watch.follow(run)
    this.show(true)
    this.rise()
  }

  /** Brings the board back into sight, where it is not beside everything else. */
  rise() {
    if (isNarrow()) scrollTo({ top: 0, behavior: isCalm() ? 'auto' : 'smooth' })
  }

  /** @param {Record<string, () => void>} [more] keys of the page */
  keys(more = {}) {
    const goTo = (/** @type {number} */ count) => (this.player.stop(), this.game.go(count))
    const undo = () => {
      this.player.stop()
      // Before the first move stands the game that this one replaced.
      if (!this.game.canUndo && this.shelf.canGoBack) return void this.shelf.back().catch(complain)
      this.game.undo()
    }
    const redo = () => (this.player.stop(), this.game.redo())
    pageKeys(
      { Backspace: undo, u: undo, y: redo, p: () => this.player.toggle(), h: this.help.hint,
        Home: () => goTo(0), End: () => goTo(Infinity),
        '?': () => find('keys-dialog', HTMLDialogElement).showModal(), ...more },
      { undo, redo })
  }

  /** The game of the address, or the one this tab had, or the page's first. */
  async recall() {
    const text = linkText()
    if (text) history.replaceState(null, '', location.pathname)
    if (await this.shelf.recall(text)) return
    const run = runOf(text)
    if (run) await this.watch.recall(run).then(() => this.show(true), complain)
    const linked = run ? null : unpack(text)
    const kept = tab.get(`game${location.pathname}`, { packed: '', at: 0, title: '', strokes: /** @type {string[]} */ ([]) })
    const own = unpack(kept.packed)
    try {
      if (linked) {
        const { problem, moves } = await api.position(linked.problem, linked.moves)
        return await this.open(problem, moves)
      }
      if (text && !run) say(words('core.link-without-game'), 'error')
    } catch (error) {
      complain(error)
    }
    if (this.game.problem !== '') return
    const isOwn = own !== null && (await this.open(own.problem, own.moves, kept).then(() => true, () => false))
    if (!isOwn) await this.open((await this.host.begin?.().catch(complain)) ?? this.host.first, [])
    if (run) this.show(true)
  }

  /** Begins: the last thing a page does. */
  async begin() {
    await this.recall().catch(complain)
    addEventListener('hashchange', () => linkText() && void this.recall().catch(complain))
    document.body.classList.add('ready')
  }
}
