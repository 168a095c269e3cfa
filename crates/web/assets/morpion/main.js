// The page of Morpion Solitaire.

import { Searches } from '../core/events.js'
import { searchForm } from '../core/form.js'
import { pageKeys } from '../core/keys.js'
import { library } from '../core/library.js'
import { provenanceOf } from '../core/api.js'
import { button, find, isCalm, part } from '../core/dom.js'
import { complain, dialogs, does, isDark, isNarrow, say, themes } from '../core/page.js'
import { searchPanel } from '../core/panel.js'
import { tab } from '../core/prefer.js'
import { plural } from '../core/text.js'
import { helpers } from '../core/think.js'
import { Player } from '../core/transport.js'
import { Watch } from '../core/watch.js'
import { Board } from './board.js'
import { Chooser } from './choose.js'
import { Sights, controls } from './controls.js'
import { Game } from './game.js'
import { hands } from './hand.js'
import { boardKeys } from './keys.js'
import { read, write } from './notation.js'
import { variantOf } from './rules.js'

themes()
dialogs()
searchPanel()

const game = new Game()
const board = new Board(find('board', SVGSVGElement))
const chooser = new Chooser(board, game)
const player = new Player(game)
const sights = new Sights(() => draw())

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
  board.showPlaces(sights.places.checked && !showsSearch ? game.legal : [])
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
  owns: problem => variantOf(problem) !== null,
  listen: listener => game.listen(listener),
}
const watch = new Watch(searches, subject, better => {
  button('show-search').textContent = `Search: ${watch.run?.best ?? '–'}`
  reveal()
  if (showsSearch && better) draw()
})

/** The best game of the search that is watched; none if there is nothing to be seen yet. */
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
hands(board, chooser, isMine)
boardKeys(board, chooser, game, isMine)
controls(game, player)
/** @param {string} text */
const inPlay = text => read(game.variant, text)
const help = helpers(
  {
    ...subject,
    isOver: () => game.isOver,
    play: text => game.play(inPlay(text)),
    extend: texts => game.extend(texts.map(inPlay)),
    point: text => board.showHint(text === null ? null : inPlay(text), game.variant.length),
    promise: found => `leads to ${plural(found.score, 'move')}, the best of ${plural(found.playouts, 'playout')}`,
    showMine: () => show(false),
  },
  player, searches, follow, rise,
)
library({
  problem: subject.problem,
  moves: subject.moves,
  provenance: () => game.provenance,
  pack: () => game.pack(),
  fresh: () => (player.stop(), game.open(game.variant, [])),
  worth: opened => plural(opened.score, 'move'),
  show({ problem, moves, title, provenance }, replays) {
    const variant = variantOf(problem)
    if (!variant) throw new Error(`this is a game of ${problem}; this page shows Morpion Solitaire`)
    player.stop()
    show(false)
    game.open(variant, moves.map(text => read(variant, text)), { at: replays ? 0 : moves.length, title, provenance })
    if (replays) player.start()
  },
})
searchForm(subject, follow).catch(complain)

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
  game.open(found.variant, found.moves, { title: `Run ${run.id}`, provenance: provenanceOf(run) })
})
pageKeys(
  {
    Backspace: () => (player.stop(), game.go(game.at - 1)),
    u: () => (player.stop(), game.go(game.at - 1)),
    y: () => (player.stop(), game.go(game.at + 1)),
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
  { undo: () => (player.stop(), game.go(game.at - 1)), redo: () => (player.stop(), game.go(game.at + 1)) },
)

/** The game of the address, or the one this tab had. */
function recall() {
  const packed = location.hash.slice(1)
  const run = packed.match(/^run-(\d+)$/)?.[1]
  if (run) {
    history.replaceState(null, '', location.pathname)
    watch.recall(Number(run)).then(() => show(true), complain)
  } else if (packed && game.unpack(packed)) {
    history.replaceState(null, '', location.pathname)
    return
  }
  if (packed && !run) say('The link contains no game that can be replayed.', 'error')
  const kept = tab.get('game', { packed: '', at: 0, title: '', provenance: {} })
  if (kept.packed === '' || !game.unpack(kept.packed, kept)) draw()
}
recall()
addEventListener('hashchange', recall)
