// The page of Sudoku and Kakuro.

import * as api from '../core/api.js'
import { button, find, html, input, isCalm, part, select } from '../core/dom.js'
import { announce, complain, does, save, submits } from '../core/page.js'
import { choices } from '../core/prefer.js'
import { Solo } from '../core/solo.js'
import { drawSteps } from '../core/chart.js'
import { shortName } from '../core/text.js'
import { words } from '../core/words.js'
import { Grid } from './grid.js'
import { Marks } from './marks.js'
import { Puzzle } from './puzzle.js'
import { teach } from './teach.js'
import { Typing } from './typing.js'

/** @type {Puzzle} */
let puzzle = new Puzzle('sudoku', { order: 2, givens: Array(16).fill(0) })
/** @type {string[]} */
let drawn = []
/** The cells of a value that was refused, and of those that it contradicts. @type {Set<number>} */
let clashing = new Set()
/** The cells and values that were free after so many moves, for the curve. @type {Map<number, { cells: number, values: number }>} */
let fallen = new Map()

const grid = new Grid(place => {
  grid.look(place)
  grid.cells[place]?.focus()
})
const typing = new Typing(grid, values => clashes(values))

const anySeed = () => String(Math.floor(Math.random() * 1_000_000))
/** A new puzzle with one solution, and what it needs in words. @param {string} kind @param {string} level */
const made = (kind, level) => api.newPuzzle(kind, level, anySeed())

const solo = new Solo({
  first: 'sudoku',
  begin: async () => (await made('sudoku', 'easy')).problem,
  owns: problem => /^(sudoku|kakuro)(:|$)/.test(problem),
  async load(problem) {
    const { view } = await api.position(problem, [])
    puzzle = new Puzzle(problem, view)
    fallen = new Map()
    grid.reset(puzzle)
    keypad()
  },
  draw(moves, { forward }) {
    // What is typed in stays on the grid until something is opened.
    if (typing.isOn) return
    drawn = moves
    clashing = new Set()
    const last = puzzle.placeOf((moves[moves.length - 1] ?? '').split('=')[0] ?? '')
    grid.draw(puzzle.values(moves), { last, forward, marks: ownMarks() })
    describe(moves)
    void weigh(moves, last)
  },
  isOver: () => puzzle.free(puzzle.values(drawn)) === 0,
  point: move => grid.mark(move === null ? -1 : puzzle.placeOf(move.split('=')[0] ?? ''), 'advised'),
  promise: found => words(found.score === 0 ? 'sudoku.belongs-to-a-solution' : 'sudoku.is-a-guess', { n: found.playouts }),
  standing: moves => words('sudoku.cells-free', { n: puzzle.free(puzzle.values(moves)) }),
  label: free => (free === 0 ? words('sudoku.solved') : words('sudoku.cells-free', { n: free })),
  worth: opened => (opened.score === 0 ? words('sudoku.solved') : words('sudoku.cells', { n: opened.moves.length })),
  paste: text => pasted(text),
})
const { game } = solo
const marks = new Marks(game, () => puzzle, () => keypad())

/** Your pencil marks, where the grid shows your game. */
const ownMarks = () => (solo.showsSearch ? new Map() : marks.seen)

/** What stands beside the grid. @param {string[]} moves */
function describe(moves) {
  const free = puzzle.free(puzzle.values(moves))
  part('title').textContent = game.title || words(puzzle.isSudoku ? 'shared.sudoku' : 'sudoku.kakuro')
  // Of a puzzle that has no seed there is nothing to be named.
  part('puzzle-name').textContent = /\btext=/.test(puzzle.problem) ? '' : shortName(puzzle.problem).replace(/^\w+:/, '').replaceAll(',', ', ')
  part('score').textContent = String(free)
  part('unit').textContent = words('sudoku.free-cell', { n: free })
  part('left').textContent = free === 0 ? words('sudoku.is-solved') : ''
  if (free === 0 && moves.length > 0) announce(words('sudoku.is-solved'))
}

/** What is still possible, as the server's search sees it, and what has become impossible. @param {string[]} moves @param {number} last */
async function weigh(moves, last) {
  const problem = puzzle.problem
  const { view } = await api.position(problem, moves).catch(() => ({ view: null }))
  if (!view || moves !== drawn || problem !== puzzle.problem || typing.isOn) return
  /** @type {number[][]} */
  const possible = puzzle.isSudoku ? view.possible : view.places.map((/** @type {any} */ place) => place.possible ?? [])
  const values = puzzle.values(moves)
  const stuck = puzzle.places.flatMap((place, index) => (place.kind === 'cell' && !values[index] && possible[index]?.length === 0 ? [index] : []))
  fallen.set(moves.length, { cells: puzzle.free(values), values: possible.reduce((sum, left) => sum + left.length, 0) })
  grid.draw(values, { possible: input('see-possible').checked ? possible : null, marks: ownMarks(), last, wrong: new Set([...stuck, ...clashing]) })
  const first = stuck[0]
  part('contradiction').textContent = first === undefined ? '' : `${puzzle.why(first, values)} ${words('sudoku.undo-takes-back')}`
  const left = fallen.get(moves.length)
  if (left && left.cells > 0 && first === undefined) part('left').textContent = words('sudoku.values-possible', { n: left.values })
  curve(moves.length)
}

/** How the free cells and the values for them have become fewer. @param {number} until */
function curve(until) {
  const steps = [...fallen].filter(([moves]) => moves <= until).sort(([one], [other]) => one - other)
  part('falling').hidden = steps.length < 2
  if (steps.length < 2) return
  const most = steps[0]?.[1].values ?? 1
  const chart = find('curve-free', SVGSVGElement)
  drawSteps(chart, steps.map(([moves, { values }]) => ({ seconds: moves, playouts: moves, score: values })), until, null, { name: words('morpion.moves'), size: 1 })
  chart.ariaLabel = words('sudoku.values-from-to', { most, least: steps[steps.length - 1]?.[1].values ?? 0 })
}

/** Writes a value or a mark into a cell, or takes it away with 0. @param {number} value @param {boolean} [isMark] */
async function put(value, isMark = marks.isOn) {
  const place = grid.at
  const here = puzzle.places[place]
  if (typing.isOn) return typing.put(value)
  if (!here || here.kind !== 'cell' || value > puzzle.largest) return
  if (solo.showsSearch || here.given) return
  if (isMark && marks.isPossible && !(value === 0 && puzzle.values(drawn)[place])) return marks.put(place, value)
  const name = puzzle.name(place)
  const others = game.played.filter(move => !move.startsWith(`${name}=`))
  const moves = value === 0 ? others : [...others, `${name}=${value}`]
  if (moves.join() === game.played.join()) return
  try {
    await api.position(puzzle.problem, moves)
    solo.player.stop()
    if (others.length === game.played.length) game.play(`${name}=${value}`)
    else game.replace(moves)
    grid.focus()
  } catch (error) {
    const values = puzzle.values(others)
    const clash = puzzle.peers(place).filter(peer => values[peer] === value)
    clashing = new Set([place, ...clash])
    grid.draw(puzzle.values(game.played), { wrong: clashing, marks: ownMarks() })
    complain(clash[0] === undefined ? error : words('sudoku.is-there-already', { value, there: puzzle.name(clash[0]), here: name }))
  }
}

/** The cells of values that contradict each other. @param {number[]} values */
const clashes = values =>
  new Set(values.flatMap((value, place) => (value && puzzle.peers(place).some(peer => values[peer] === value) ? [place] : [])))

grid.element.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const digit = /^[0-9]$/.test(event.key) ? Number(event.key) : -1
  const letter = puzzle.largest > 9 && /^[a-g]$/i.test(event.key) ? event.key.toLowerCase().charCodeAt(0) - 87 : -1
  const value = Math.max(digit, letter)
  const marked = event.shiftKey ? Number(event.code.match(/^Digit([1-9])$/)?.[1] ?? 0) : 0
  if (marked > 0) void put(marked, true)
  else if (value >= 0) void put(value)
  else if (typing.isOn && event.key === ' ') typing.blacken()
  else if (event.key === 'Delete' || (event.key === 'Backspace' && (typing.isOn || puzzle.values(drawn)[grid.at] !== 0))) void put(0)
  else return
  event.preventDefault()
  event.stopPropagation()
})

/** The values to tap. */
function keypad() {
  const keys = Array.from({ length: puzzle.largest }, (_, index) => index + 1)
  part('keypad').replaceChildren(
    ...keys.map(value => html('button', { type: 'button', 'aria-label': marks.isOn ? words('sudoku.mark', { value }) : null, click: () => void put(value) }, String(value))),
    html('button', { type: 'button', 'aria-label': words(marks.isOn ? 'sudoku.rub-out-the-cell' : 'sudoku.empty-this-cell'), click: () => void put(0) }, '⌫'))
  part('keypad').hidden = puzzle.largest > 25
}

/** A puzzle of a text: Kakuros have sums or clues, and Sudokus have neither. @param {string} text */
function pasted(text) {
  const chosen = select('paste-kind').value
  const kind = chosen || (/\\|values/.test(text) || /^\s*\d+( +\d+)+\s*\n\s*\d+\s*\n/.test(text) ? 'kakuro' : 'sudoku')
  return api.paste(kind, text)
}

// Typing a puzzle in.
does(button('type-in'), () => {
  solo.show(false)
  const size = Number(select('size').value)
  typing.begin(kind(), size)
  puzzle = typing.puzzle
  keypad()
  if (!puzzle.isSudoku) part('keypad').hidden = true
  button('hint').disabled = button('finish').disabled = false
})

/** Whatever is opened ends the typing: the grid has to be made anew. */
const open = solo.open.bind(solo)
solo.open = (problem, moves, about) => {
  if (typing.isOn) solo.loaded = ''
  typing.end()
  return open(problem, moves, about)
}

/** Opens what was typed in; false if it is no puzzle. */
async function typed() {
  try {
    const { problem } = await api.paste(typing.kind, typing.text)
    await solo.open(problem, [])
    return true
  } catch (error) {
    typing.complain(error instanceof Error ? error.message : String(error))
    return false
  }
}
does(button('typed'), typed)
does(button('untyped'), () => solo.open(game.problem, game.moves, { at: game.at, title: game.title, strokes: game.strokes }))

// Whatever is asked about the puzzle means the one on the grid: what was typed is opened first.
addEventListener('click', event => {
  const asked = event.target instanceof Element ? event.target.closest('#hint, #finish, #check, #mistakes, #reason, #save, #link, #start, #fresh') : null
  if (!typing.isOn || !(asked instanceof HTMLButtonElement)) return
  event.preventDefault()
  event.stopImmediatePropagation()
  void typed().then(isPuzzle => isPuzzle && asked.click())
}, { capture: true })

// Puzzles: pasted, or by seed.
does(button('paste-puzzle'), () => find('paste-dialog', HTMLDialogElement).showModal())
find('paste-form', HTMLFormElement).onsubmit = async event => {
  event.preventDefault()
  part('paste-error').textContent = ''
  try {
    const { problem } = await pasted(find('paste-text', HTMLTextAreaElement).value)
    find('paste-dialog', HTMLDialogElement).close()
    await solo.open(problem, [])
  } catch (error) {
    part('paste-error').textContent = error instanceof Error ? error.message : String(error)
  }
}

const SIZES = {
  sudoku: [['2', '4 × 4'], ['3', '9 × 9'], ['4', '16 × 16'], ['5', '25 × 25']],
  kakuro: [['4', '4 × 4'], ['6', '6 × 6'], ['8', '8 × 8'], ['9', '9 × 9']],
}
const kind = () => (select('kind').value === 'kakuro' ? 'kakuro' : 'sudoku')
function sizes() {
  select('size').replaceChildren(...SIZES[kind()].map(([value, text]) => html('option', { value: value ?? '' }, text ?? '')))
  select('size').value = kind() === 'sudoku' ? '3' : '6'
  select('empty').disabled = kind() === 'kakuro'
}
select('kind').onchange = sizes
sizes()
const seeded = () => {
  const seed = input('seed').value || '0'
  return kind() === 'sudoku' ? `sudoku:seed=${seed},order=${select('size').value},empty=${select('empty').value}` : `kakuro:seed=${seed},size=${select('size').value}`
}
submits('puzzles', () => solo.open(seeded(), []))
does(button('another-puzzle'), () => {
  input('seed').value = anySeed()
  return solo.open(seeded(), [])
})

/** The grid; an answer about another one comes too late. */
const here = () => `${game.problem} ${game.played.join()}`

does(button('check'), async () => {
  const before = game.problem
  const { solutions } = await api.solutions(game.problem)
  if (game.problem !== before) return
  const counted = /** @type {const} */ ({ none: 'sudoku.no-solution', one: 'sudoku.one-solution', several: 'sudoku.several-solutions' })
  part('checked').textContent = words(solutions === null ? 'sudoku.too-large' : counted[solutions])
})
// Puzzles with one solution, their mistakes, and hints with reasons.
const wantedBy = (/** @type {SubmitEvent} */ { submitter }) => (submitter instanceof HTMLButtonElement ? submitter.value : 'sudoku')
submits('made', async event => {
  const before = here()
  const { problem, techniques } = await made(wantedBy(event), select('puzzle-level').value)
  // Whoever has gone on meanwhile keeps what is there.
  if (here() !== before) return
  await solo.open(problem, [])
  part('techniques').textContent = words('sudoku.needs', { techniques })
})
submits('book', async event => {
  const { file, name } = await api.book(wantedBy(event), select('puzzle-level').value, anySeed(), Number(input('book-count').value), 'pdf')
  save(file, name)
})
does(button('mistakes'), async () => {
  const before = here()
  const { solvable, moves, marks: wrong } = await api.mistakes(game.problem, game.played, marks.texts)
  if (here() !== before) return
  const misleading = marks.misleading(wrong ?? [])
  const places = [...(moves ?? []).map(move => puzzle.placeOf(move.split('=')[0] ?? '')), ...misleading]
  if (places.length > 0) grid.draw(puzzle.values(game.played), { wrong: new Set(places), marks: ownMarks() })
  const named = moves?.join(', ')
  const unmarked = misleading.length === 0 ? '' : ` ${words('sudoku.marks-leave-out', { cells: misleading.map(place => puzzle.name(place)).join(', ') })}`
  part('checked').textContent = solvable === null ? words('sudoku.too-hard')
    : solvable === false ? words('sudoku.unsolvable')
    : `${named ? words('sudoku.contradicts', { n: moves?.length ?? 0, moves: named }) : words('sudoku.no-mistake')}${unmarked}`
})
does(button('reason'), async () => {
  const before = here()
  const { steps } = await api.reasons(game.problem, game.played)
  if (here() !== before) return
  const last = steps?.at(-1)
  // What your marks show already needs no words.
  const isNew = (steps ?? []).map(step => !marks.show(step))
  const left = (steps ?? []).filter((_, index) => isNew[index])
  part('steps').replaceChildren(...left.map(({ technique, words: text }) => html('li', {}, html('b', {}, `${technique}: `), text)))
  const [known, rubber] = [isNew.filter(isNew => !isNew).length, marks.rubber(left)]
  part('checked').textContent = known === 0 ? '' : words('sudoku.steps-known', { n: known })
  if (rubber) part('steps').append(html('li', { class: 'plain' }, rubber))
  const cells = new Set((last?.cells ?? []).map(name => puzzle.placeOf(name)))
  grid.cells.forEach((cell, place) => cell.classList.toggle('shown', cells.has(place)))
  if (!last?.played) part('checked').textContent = words(steps ? 'sudoku.no-technique' : 'sudoku.no-techniques')
  // Only whoever has seen what reasoning gives is shown a value of the solution.
  part('last-resort').hidden = false
})
does(button('look'), async () => {
  const before = here()
  const { looked } = await import('./solution.js')
  const { text, value } = await looked(puzzle, puzzle.values(drawn), grid.at)
  if (here() !== before) return
  const write = value === null ? null : html('button', { type: 'button', class: 'link', click: () => void put(value, false) }, words('sudoku.write-it'))
  part('checked').replaceChildren(text, ' ', ...(write ? [write] : []))
})

game.listen(({ opened }) => {
  if (opened) part('techniques').textContent = ''
  part('steps').replaceChildren()
  part('last-resort').hidden = true
  grid.cells.forEach(cell => cell.classList.remove('shown'))
  if (opened) part('checked').textContent = part('contradiction').textContent = ''
})

input('see-possible').checked = choices.get('see-possible', false)
input('see-possible').onchange = () => {
  choices.set('see-possible', input('see-possible').checked)
  solo.draw()
}
teach(game)
/** Opens today's board for an address such as #today-kakuro. */
const today = async () => location.hash.startsWith('#today-') && (await import('./daily.js')).today(solo)

solo.keys({ n: () => marks.write(!marks.isOn), m: () => input('see-possible').click(), g: () => grid.focus() })
if (isCalm()) document.body.classList.add('calm')
addEventListener('hashchange', () => location.hash && void today().catch(complain))
await today().catch(complain)
await solo.begin()
