// The page of Morpion Solitaire.

import { linkText } from '../core/address.js'
import { Searches } from '../core/events.js'
import { searchForm } from '../core/form.js'
import { pageKeys } from '../core/keys.js'
import { library } from '../core/library.js'
import { provenanceOf } from '../core/api.js'
import { button, find, isCalm, part } from '../core/dom.js'
import { complain, dialogs, does, isDark, isNarrow, say, themes } from '../core/page.js'
import { searchPanel } from '../core/panel.js'
import { choices, tab } from '../core/prefer.js'
import { races } from '../core/races.js'
import { Shelf } from '../core/shelf.js'
import { helpers } from '../core/think.js'
import { Player } from '../core/transport.js'
import { Watch } from '../core/watch.js'
import { words } from '../core/words.js'
import { Board } from './board.js'
import { Chooser } from './choose.js'
import { Sights, controls } from './controls.js'
import { Game } from './game.js'
import { hands } from './hand.js'
import { boardKeys } from './keys.js'
import { read, write } from './notation.js'
import { effect, variantOf } from './rules.js'
import { teach } from './teach.js'

themes()
dialogs()
searchPanel()

const game = new Game()
const board = new Board(find('board', SVGSVGElement))
const chooser = new Chooser(board, game)
const player = new Player(game)
const sights = new Sights(() => draw())

/** The lesson of the first visit. @type {ReturnType<typeof teach> | undefined} */
let lesson
/** Whether the board shows the search that is watched rather than the game that is played. */
let showsSearch = false
/** The lines of the game that was drawn last, to tell new ones. @type {Set<string>} */
let before = new Set()

function draw(forward = false) {
  const shown = (showsSearch && best()) || { variant: game.variant, moves: game.played }
  const names = new Set(shown.moves.map(move => write(shown.variant, move)))
  const known = before
  before = names
  board.draw({
    ...shown,
    forward,
    numbers: sights.numbers.checked,
    ages: sights.ages.checked,
    dark: isDark(),
    fresh: showsSearch ? move => !known.has(write(shown.variant, move)) : undefined,
  })
  board.showPlaces((sights.places.checked || lesson?.isOn) && !showsSearch ? game.legal : [])
}

/** @param {boolean} search */
function show(search) {
  showsSearch = search && watch.shown !== null
  reveal()
  button('show-mine').ariaPressed = String(!showsSearch)
  button('show-search').ariaPressed = String(showsSearch)
  document.body.classList.toggle('watching', showsSearch)
  if (showsSearch) part('side').scrollTop = 0
  chooser.clear()
  draw()
}

const searches = new Searches()
/** What is searched here. @type {import('../core/watch.js').Subject} */
const subject = {
  problem: () => game.variant.problem,
  moves: () => game.played.map(move => write(game.variant, move)),
  owns: problem => variantOf(problem) !== undefined,
  listen: listener => game.listen(listener),
}
const watch = new Watch(searches, subject, better => {
  button('show-search').textContent = words('core.search-worth', { worth: watch.run?.best ?? '–' })
  reveal()
  if (showsSearch && better) draw()
})

/** The best game of the search that is watched; none if it has no game yet. */
function best() {
  const variant = watch.run && variantOf(watch.run.problem)
  return variant && watch.run ? { variant, moves: watch.run.moves.map(text => read(variant, text)) } : null
}

/** Lets people choose what the board shows, once there is a choice. It covers games where there is little room. */
function reveal() {
  part('whose').hidden = watch.shown === null
  board.view.inset = watch.shown !== null && isNarrow() ? 40 : 0
}
const follow = (/** @type {import('../core/api.js').Live} */ run) => {
  watch.follow(run)
  show(true)
  rise()
}

/** Brings the board back into sight, where it is not beside everything else. */
function rise() {
  if (isNarrow()) scrollTo({ top: 0, behavior: isCalm() ? 'auto' : 'smooth' })
}

game.listen(({ forward, opened }) => {
  if (opened) rise()
  if (opened || showsSearch) show(false)
  else draw(forward)
  tab.set('game', { packed: game.pack(), at: game.at, title: game.title, provenance: game.provenance })
})
const isMine = () => !showsSearch
lesson = teach(game, () => draw())
hands(board, chooser, isMine)
boardKeys(board, chooser, isMine)
controls(game, player)
/** What looks at a game again is fetched when one is over. @type {Promise<unknown> | undefined} */
let reviewing
const review = () => game.isOver && (reviewing ??= import('./review.js').then(({ review }) => review(game), complain))
game.listen(review)
/** @param {string} text */
const inPlay = text => read(game.variant, text)
const help = helpers(
  {
    ...subject,
    isOver: () => game.isOver,
    play: text => game.play(inPlay(text)),
    extend: texts => game.extend(texts.map(inPlay)),
    point: text => board.showHint(text === null ? null : inPlay(text), game.variant.length, text === null ? [] : effect(game.variant, game.played, inPlay(text)).opens),
    promise(found) {
      const { opens, closes, left } = effect(game.variant, game.played, inPlay(found.move))
      const change = words('morpion.opens', {
        opens: opens.length === 0 ? words('morpion.no-line') : words('morpion.count-lines', { n: opens.length }),
        closes: closes.length === 0 ? words('morpion.none') : closes.length, left: left.length,
      })
      return `${change}; ${words('morpion.leads-to', { moves: words('core.moves', { n: found.score }), n: found.playouts })}`
    },
    showMine: () => show(false),
  },
  player, searches, follow, rise,
)
library({
  problem: subject.problem,
  moves: subject.moves,
  provenance: () => game.provenance,
  pack: () => game.link(),
  fresh: () => (player.stop(), game.open(game.variant, [])),
  worth: opened => words('core.moves', { n: opened.score }),
  show(shown, replays) {
    openTexts({ ...shown, at: replays ? 0 : shown.moves.length })
    if (replays) player.start()
  },
})
searchForm(subject, follow).catch(complain)
races({
  problem: subject.problem,
  fresh: () => (player.stop(), game.open(game.variant, [])),
  standing: () => words('morpion.count-lines', { n: game.at }),
  isOver: () => game.isOver,
  label: score => words('morpion.count-lines', { n: score }),
  listen: listener => game.listen(listener),
}, searches)

/** Shows a game of texts. @param {import('../core/shelf.js').Kept} shown */
function openTexts({ problem, moves, ...about }) {
  const variant = variantOf(problem)
  if (!variant) throw new Error(words('core.not-shown-here', { problem }))
  player.stop()
  show(false)
  game.open(variant, moves.map(text => read(variant, text)), about)
}
const shelf = new Shelf({
  now: () => ({ problem: game.variant.problem, moves: game.moves.map(move => write(game.variant, move)), at: game.at, title: game.title, provenance: game.provenance }),
  worth: () => words('core.moves', { n: game.moves.length }),
  open: openTexts,
  listen: listener => game.listen(listener),
})
/** What knows the board of the day is fetched for those who play it. @type {Promise<ReturnType<typeof import('./daily.js').daily>> | undefined} */
let boardOfToday
const today = () => (boardOfToday ??= import('./daily.js').then(({ daily }) => daily(game)))
const step = (/** @type {number} */ by) => {
  player.stop()
  // Before the first move stands the game that this one replaced.
  if (by === -1 && game.at === 0 && shelf.canGoBack) return void shelf.back().catch(complain)
  game.go(game.at + by)
}

button('show-mine').onclick = () => show(false)
button('show-search').onclick = () => show(true)
addEventListener('theme', () => draw())
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => draw())
button('zoom-in').onclick = () => board.view.zoom(1.4)
button('zoom-out').onclick = () => board.view.zoom(1 / 1.4)
button('zoom-fit').onclick = () => board.view.fit()
does(button('take'), () => {
  const { run } = watch
  const found = best()
  if (!found || !run) return
  player.stop()
  game.open(found.variant, found.moves, { title: words('core.run', { run: String(run.id) }), provenance: provenanceOf(run) })
})
pageKeys(
  {
    Backspace: () => step(-1),
    u: () => step(-1),
    y: () => step(1),
    Home: () => step(-Infinity),
    End: () => step(Infinity),
    p: () => player.toggle(),
    m: () => sights.toggle(sights.places),
    n: () => sights.toggle(sights.numbers),
    a: () => sights.toggle(sights.ages),
    h: help.hint,
    '+': () => board.view.zoom(1.4),
    '=': () => board.view.zoom(1.4),
    '-': () => board.view.zoom(1 / 1.4),
    0: () => board.view.fit(),
    '?': () => find('keys-dialog', HTMLDialogElement).showModal(),
  },
  { undo: () => step(-1), redo: () => step(1) },
)

/** The game of the address, or the one this tab had. */
async function recall() {
  const packed = linkText()
  if (packed === 'today-morpion') await (await today()).open()
  else if (choices.get('daily-puzzles', { Morpion: null }).Morpion) void today().catch(complain)
  if (packed === 'today-morpion' || (await shelf.recall(packed))) return history.replaceState(null, '', location.pathname)
  const run = packed.match(/^run-(\d+)$/)?.[1]
  if (run) {
    history.replaceState(null, '', location.pathname)
    watch.recall(Number(run)).then(() => show(true), complain)
  } else if (packed && game.unpack(packed)) {
    history.replaceState(null, '', location.pathname)
    return
  }
  if (packed && !run) say(words('core.link-without-game'), 'error')
  const kept = tab.get('game', { packed: '', at: 0, title: '', provenance: {} })
  if (kept.packed === '' || !game.unpack(kept.packed, kept)) draw()
}
await recall().catch(complain)
lesson?.begin()
addEventListener('hashchange', () => linkText() && void recall().catch(complain))
