// The page of Quarto.

import * as api from '../core/api.js'
import { button, find, html, part } from '../core/dom.js'
import { pageKeys } from '../core/keys.js'
import { library } from '../core/library.js'
import { announce, complain, dialogs, does, isNarrow, say, themes } from '../core/page.js'
import { tab } from '../core/prefer.js'
import { analysis } from './analysis.js'
import { drags } from './drag.js'
import { Game } from './game.js'
import { cellText, pack, pieceText, problemOf, read, squaresOf, transcript, unpack, write } from './notation.js'
import { definePieces, inline } from './pieces.js'
import { Seats, capital } from './seats.js'
import { Table } from './table.js'

themes()
dialogs()
definePieces()

const game = new Game()
const seats = new Seats(game)
const table = new Table(game)
const help = analysis(game, table, seats)
drags(game, table)

/** The lines that have won, with all that their pieces share. */
const reason = () =>
  game.position.won.map(({ cells, shared }) => `${cells.map(cellText).join(' ')}: all ${shared.join(' and ')}`).join('; ')

/** Whose turn it is, and what is asked. @returns {{ title: string, more: string }} */
function prompt() {
  const { position, at, moves } = game
  const other = seats.name(1 - position.turn)
  const isYou = seats.name(position.turn) === 'you'
  if (position.winner !== null) {
    const winner = seats.name(position.winner)
    return { title: winner === 'you' ? 'You win!' : `${capital(winner)} wins`, more: reason() }
  }
  if (position.isOver) return { title: 'A draw', more: 'All pieces are placed, and no line of four shares a trait.' }
  if (!game.isPersons && seats.isThinking) {
    return { title: `${capital(seats.name(position.turn))} ${position.hand === null ? 'chooses a piece' : 'places the piece'} …`, more: '' }
  }
  if (!game.isPersons) return { title: `${capital(seats.name(position.turn))} is to move`, more: `Move ${at} of ${moves.length}` }
  const whose = isYou ? 'Your turn' : capital(seats.name(position.turn))
  if (position.hand !== null) {
    return { title: `${whose}: place this piece`, more: 'Four in a line that share a trait win: four tall ones, four round ones, four with a hole …' }
  }
  const careful = `Give ${other === 'you' ? 'yourself' : other} no piece that completes a line.`
  return { title: `${whose}: choose a piece for ${other}`, more: at === 0 ? `${capital(other)} will have to place it.` : careful }
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
  part('hand-title').textContent = game.position.hand !== null ? 'To be placed' : game.isPersons ? 'To be given' : ''
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
        inline(piece), html('code', {}, text), html('small', {}, cell === undefined ? `for ${by.toLowerCase()}` : by))))
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

const fresh = () => game.open(game.squares, [])
library({
  problem: () => problemOf(game.squares),
  moves: () => write(game.played),
  provenance: () => ({ description: game.seats.map((seat, index) => `${index === 0 ? 'first' : 'second'}: ${seat || 'a person'}`).join(', ') }),
  pack: () => pack(game.squares, game.played),
  fresh,
  worth: opened => (opened.complete ? { 1: 'the first player wins', 0: 'the second player wins' }[opened.score] ?? 'a draw' : `${opened.moves.length} moves`),
  async takes(text) {
    const written = transcript(text)
    if (!written) return false
    const { moves } = await api.position(problemOf(written.squares), written.moves)
    game.open(written.squares, read(moves))
    return true
  },
  show({ problem, moves }) {
    const squares = squaresOf(problem)
    if (squares === null) throw new Error(`this is a game of ${problem}; this page shows Quarto`)
    // Looked at first: whoever is to move waits.
    game.moves = read(moves)
    game.squares = squares
    game.at = moves.length
    game.changed({ opened: true })
  },
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
    Backspace: () => game.undo(),
    u: () => game.undo(),
    y: () => game.redo(),
    h: help.hint,
    a: help.toggle,
    n: fresh,
    b: () => table.cells.find(cell => cell.tabIndex === 0)?.focus(),
    p: () => table.pieces.find(piece => piece.tabIndex === 0)?.focus(),
    '?': () => find('keys-dialog', HTMLDialogElement).showModal(),
  },
  { undo: () => game.undo(), redo: () => game.redo() },
)

/** The game of the address, or the one this tab had. */
function recall() {
  const packed = location.hash.slice(1)
  const linked = packed ? unpack(packed) : null
  if (packed) history.replaceState(null, '', location.pathname)
  if (packed && !linked) say('The link contains no game that can be replayed.', 'error')
  const kept = tab.get('quarto', { packed: '', at: 0 })
  const own = unpack(kept.packed)
  const { squares, moves } = linked ?? own ?? { squares: false, moves: [] }
  game.open(squares, moves, linked ? moves.length : own ? kept.at : 0)
}
await seats.ready().catch(complain)
recall()
addEventListener('hashchange', () => location.hash && recall())
document.body.classList.add('ready')
