// The page of Quarto.

import { linkText } from '../core/address.js'
import * as api from '../core/api.js'
import { button, find, html, part } from '../core/dom.js'
import { Searches } from '../core/events.js'
import { pageKeys } from '../core/keys.js'
import { library } from '../core/library.js'
import { announce, complain, dialogs, does, isNarrow, say, themes } from '../core/page.js'
import { tab } from '../core/prefer.js'
import { Shelf } from '../core/shelf.js'
import { words } from '../core/words.js'
import { analysis } from './analysis.js'
import { daily } from './daily.js'
import { drags } from './drag.js'
import { Game } from './game.js'
import { cellText, pack, pieceText, problemOf, read, squaresOf, transcript, unpack, write } from './notation.js'
import { definePieces, inline } from './pieces.js'
import { Position, together } from './rules.js'
import { Seats, capital } from './seats.js'
import { Table } from './table.js'
import { teach } from './teach.js'

themes()
dialogs()
definePieces()

const game = new Game()
const seats = new Seats(game)
const table = new Table(game)
const help = analysis(game, table, seats)
drags(game, table)
teach(game)
/** What looks at a game again is fetched when one is over. @type {Promise<unknown> | undefined} */
let reviewing
game.listen(() => {
  if (game.position.isOver) reviewing ??= import('./review.js').then(({ review }) => review(game, seats), complain)
})

/** The lines that have won, with all that their pieces share. */
const reason = () =>
  game.position.won.map(({ cells, shared }) => words('quarto.won-line', { cells: cells.map(cellText).join(' '), traits: together(shared) })).join('; ')

/** Whose turn it is, and what is asked. @returns {{ title: string, more: string }} */
function prompt() {
  const { position, at, moves } = game
  const other = seats.name(1 - position.turn)
  const isYou = seats.isYou(position.turn)
  if (position.winner !== null) {
    const winner = seats.name(position.winner)
    return { title: seats.isYou(position.winner) ? words('quarto.you-win') : words('quarto.wins', { who: capital(winner) }), more: reason() }
  }
  if (position.isOver) return { title: words('quarto.a-draw'), more: words('quarto.all-placed') }
  if (!game.isPersons && seats.isThinking) {
    return { title: words(position.hand === null ? 'quarto.is-choosing' : 'quarto.is-placing', { who: capital(seats.name(position.turn)) }), more: '' }
  }
  if (!game.isPersons) return { title: words('quarto.is-to-move', { who: capital(seats.name(position.turn)) }), more: words('core.move-of', { at, all: moves.length }) }
  const whose = isYou ? words('quarto.your-turn') : capital(seats.name(position.turn))
  if (position.hand !== null) {
    return { title: words('quarto.place-this-piece', { whose }), more: words('quarto.what-wins-in-words') }
  }
  const careful = words('quarto.be-careful', { who: seats.isYou(1 - position.turn) ? words('quarto.yourself') : other })
  return { title: words('quarto.choose-a-piece-for', { whose, who: other }), more: at === 0 ? words('quarto.will-have-to-place-it', { who: capital(other) }) : careful }
}

function show() {
  const { title, more } = prompt()
  part('prompt').textContent = title
  part('prompt-more').textContent = more
  part('prompt-more').classList.toggle('reason', game.position.won.length > 0)
  button('again').hidden = !game.position.isOver
  button('go-on').hidden = !(game.level !== '' && seats.waits)
  button('undo').disabled = button('undo-side').disabled = game.before === null
  button('redo').disabled = game.at === game.moves.length
  part('place').textContent = `${game.at} / ${game.moves.length}`
  part('hand-title').textContent = game.position.hand !== null ? words('quarto.to-be-placed') : game.isPersons ? words('quarto.to-be-given') : ''
  for (const choice of part('variants').querySelectorAll('button')) {
    choice.ariaPressed = String((choice.dataset.variant === 'squares') === game.squares)
  }
  showLog()
}

/** The moves, a line for every piece: a click goes there. */
function showLog() {
  const rows = []
  for (let index = 0; index < game.moves.length; index += 2) {
    const [piece, cell] = [game.moves[index] ?? 0, game.moves[index + 1]]
    const end = Math.min(index + 2, game.moves.length)
    const isHere = game.at > index && game.at <= end
    const text = cell === undefined ? pieceText(piece) : `${pieceText(piece)} ${cellText(cell)}`
    const by = capital(seats.name((index / 2) % 2 === 0 ? 1 : 0))
    rows.push(html('li', {},
      html('button', { type: 'button', class: 'quiet', 'aria-current': isHere ? 'true' : null, click: () => game.go(end) },
        inline(piece), html('code', {}, text), html('small', {}, cell === undefined ? words('quarto.for', { who: by.toLowerCase() }) : by))))
  }
  part('log').replaceChildren(...rows)
  part('log-empty').hidden = rows.length > 0
  // The list alone is scrolled: the page stays where it is.
  const [list, here] = [part('log'), part('log').querySelector('[aria-current]')]
  if (here instanceof HTMLElement) list.scrollTop = here.offsetTop - list.offsetTop - list.clientHeight + here.offsetHeight
}

game.listen(({ opened, forward }) => {
  show()
  if (forward || game.position.isOver) announce(`${part('prompt').textContent}. ${part('prompt-more').textContent}`)
  if (opened && isNarrow()) scrollTo({ top: 0 })
  tab.set('quarto', { packed: pack(game.squares, game.moves), at: game.at })
})

/** How a game stands. */
function standing() {
  const { winner, isOver } = new Position(game.squares, game.moves)
  if (winner !== null) return seats.isYou(winner) ? words('quarto.you-win-in-short') : words('quarto.wins', { who: capital(seats.name(winner)) })
  return isOver ? words('quarto.a-draw') : words('core.moves', { n: game.moves.length })
}

/** Shows a game; whoever is to move waits. @param {import('../core/shelf.js').Kept} shown */
function lookAt({ problem, moves, at = moves.length }) {
  const squares = squaresOf(problem)
  if (squares === null) throw new Error(words('core.not-shown-here', { problem }))
  Object.assign(game, { squares, moves: read(moves), at })
  game.changed({ opened: true })
}

const shelf = new Shelf({
  now: () => ({ problem: problemOf(game.squares), moves: write(game.moves), at: game.at }),
  worth: standing,
  open: kept => {
    lookAt(kept)
    seats.goOn()
    show()
  },
  listen: listener => game.listen(listener),
})
/** Takes a move back, or at the start of a game the game. */
const undo = () => (game.at === 0 && shelf.canGoBack ? void shelf.back().catch(complain) : game.undo())

const boardOfToday = daily(game, seats, standing)
const fresh = () => game.open(game.squares, [])
library({
  problem: () => problemOf(game.squares),
  moves: () => write(game.played),
  provenance: () => ({ description: game.seats.map((seat, index) => `${words(index === 0 ? 'quarto.first' : 'quarto.second')}: ${seat || words('quarto.person')}`).join(', ') }),
  pack: () => pack(game.squares, game.played),
  fresh,
  worth: opened => (opened.complete ? words(opened.score === 1 ? 'quarto.first-wins' : opened.score === 0 ? 'quarto.second-wins' : 'quarto.drawn') : words('core.moves', { n: opened.moves.length })),
  async takes(text) {
    const written = transcript(text)
    if (!written) return false
    const { moves } = await api.position(problemOf(written.squares), written.moves)
    game.open(written.squares, read(moves))
    return true
  },
  // Looked at first: whoever is to move waits.
  show: lookAt,
})

does(button('again'), fresh)
does(button('swap'), () => seats.swap())
does(button('go-on'), () => {
  seats.goOn()
  show()
})
button('undo').onclick = button('undo-side').onclick = () => game.undo()
button('redo').onclick = () => game.redo()
for (const choice of part('variants').querySelectorAll('button')) {
  choice.onclick = () => {
    const squares = choice.dataset.variant === 'squares'
    if (squares !== game.squares) game.open(squares, [])
  }
}
pageKeys(
  {
    Backspace: undo,
    u: undo,
    y: () => game.redo(),
    h: help.hint,
    a: help.toggle,
    n: fresh,
    Home: () => game.go(0),
    End: () => game.go(Infinity),
    b: () => table.cells.find(cell => cell.tabIndex === 0)?.focus(),
    p: () => table.pieces.find(piece => piece.tabIndex === 0)?.focus(),
    '?': () => find('keys-dialog', HTMLDialogElement).showModal(),
  },
  { undo, redo: () => game.redo() },
)

/** The game of the address, or the one this tab had. */
async function recall() {
  const packed = linkText()
  const linked = packed ? unpack(packed) : null
  if (packed) history.replaceState(null, '', location.pathname)
  if ((await shelf.recall(packed)) || (await boardOfToday.recall(packed))) return
  if (packed && !linked) say(words('core.link-without-game'), 'error')
  const kept = tab.get('quarto', { packed: '', at: 0 })
  const own = unpack(kept.packed)
  const { squares, moves } = linked ?? own ?? { squares: false, moves: [] }
  game.open(squares, moves, linked ? moves.length : own ? kept.at : 0)
}
// Whether Nestling still answers is noticed before something is asked for.
new Searches().listen(news => news.event === 'connection' && news.isHere && say(words('core.answers-again')))
await seats.ready().catch(complain)
await recall()
addEventListener('hashchange', () => linkText() && void recall().catch(complain))
document.body.classList.add('ready')
