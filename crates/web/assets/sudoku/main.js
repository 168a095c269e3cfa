// The page of Sudoku and Kakuro.

import * as api from '../core/api.js'
import { button, find, html, input, isCalm, part, select } from '../core/dom.js'
import { announce, complain, does } from '../core/page.js'
import { choices } from '../core/prefer.js'
import { Solo } from '../core/solo.js'
import { drawSteps } from '../core/chart.js'
import { plural, shortName } from '../core/text.js'
import { Grid } from './grid.js'
import { Puzzle } from './puzzle.js'

/** @type {Puzzle} */
let puzzle = new Puzzle('sudoku', { order: 2, givens: Array(16).fill(0) })
/** @type {string[]} */
let drawn = []
/** The cells and values that were free after so many moves, for the curve. @type {Map<number, { cells: number, values: number }>} */
let fallen = new Map()
/** Whether a puzzle is being typed in: the digits are those of the puzzle. */
let typing = false
/** @type {number[]} */
let typed = []

const grid = new Grid(place => {
  grid.look(place)
  grid.cells[place]?.focus()
})
const EMPTY = { kind: 'sudoku', first: 'sudoku:seed=1,order=3,empty=60' }

const solo = new Solo({
  first: EMPTY.first,
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
    if (typing) return
    drawn = moves
    const last = puzzle.placeOf((moves[moves.length - 1] ?? '').split('=')[0] ?? '')
    grid.draw(puzzle.values(moves), { last, forward })
    describe(moves)
    void weigh(moves, last)
  },
  isOver: () => puzzle.free(puzzle.values(drawn)) === 0,
  point: move => grid.mark(move === null ? -1 : puzzle.placeOf(move.split('=')[0] ?? ''), 'advised'),
  promise: found => (found.score === 0 ? `belongs to a solution, found after ${plural(found.playouts, 'playout')}` : `is a guess: no solution was found in ${plural(found.playouts, 'playout')}`),
  worth: opened => (opened.score === 0 ? 'solved' : plural(opened.moves.length, 'cell')),
  paste: text => pasted(text),
})
const { game } = solo

/** What stands beside the grid. @param {string[]} moves */
function describe(moves) {
  const free = puzzle.free(puzzle.values(moves))
  part('title').textContent = game.title || (puzzle.isSudoku ? 'Sudoku' : 'Kakuro')
  part('puzzle-name').textContent = shortName(puzzle.problem).replace(/^\w+:/, '').replaceAll(',', ', ')
  part('score').textContent = String(free)
  part('unit').textContent = free === 1 ? 'free cell' : 'free cells'
  part('left').textContent = free === 0 ? 'Solved.' : ''
  if (free === 0 && moves.length > 0) announce('Solved.')
}

/** What is still possible, as the server's search sees it, and what has become impossible. @param {string[]} moves @param {number} last */
async function weigh(moves, last) {
  const problem = puzzle.problem
  const { view } = await api.position(problem, moves).catch(() => ({ view: null }))
  if (!view || moves !== drawn || problem !== puzzle.problem || typing) return
  /** @type {number[][]} */
  const possible = puzzle.isSudoku ? view.possible : view.places.map((/** @type {any} */ place) => place.possible ?? [])
  const values = puzzle.values(moves)
  const stuck = puzzle.places.flatMap((place, index) => (place.kind === 'cell' && !values[index] && possible[index]?.length === 0 ? [index] : []))
  fallen.set(moves.length, { cells: puzzle.free(values), values: possible.reduce((sum, left) => sum + left.length, 0) })
  grid.draw(values, { possible: input('see-possible').checked ? possible : null, last, wrong: new Set(stuck) })
  const first = stuck[0]
  part('contradiction').textContent = first === undefined ? '' : `${puzzle.why(first, values)} Undo takes your moves back.`
  const left = fallen.get(moves.length)
  if (left && left.cells > 0 && first === undefined) part('left').textContent = `${plural(left.values, 'value')} still possible in them.`
  curve(moves.length)
}

/** How the free cells and the values for them have become fewer. @param {number} until */
function curve(until) {
  const steps = [...fallen].filter(([moves]) => moves <= until).sort(([one], [other]) => one - other)
  part('falling').hidden = steps.length < 2
  if (steps.length < 2) return
  const most = steps[0]?.[1].values ?? 1
  const chart = find('curve-free', SVGSVGElement)
  drawSteps(chart, steps.map(([moves, { values }]) => ({ seconds: moves, playouts: moves, score: values })), until, null, { name: 'moves', size: 1 })
  chart.ariaLabel = `From ${most} possible values down to ${steps[steps.length - 1]?.[1].values}`
}

/** Puts a value into a cell, or takes it away with 0. @param {number} value */
async function put(value) {
  const place = grid.at
  const here = puzzle.places[place]
  if (!here || here.kind !== 'cell' || value > puzzle.largest) return
  if (typing) {
    typed[place] = value
    grid.draw(typed, { wrong: clashes(typed) })
    describeTyped()
    return
  }
  if (solo.showsSearch || here.given) return
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
    grid.draw(puzzle.values(game.played), { wrong: new Set([place, ...clash]) })
    complain(clash[0] === undefined ? error : `${value} is already at ${puzzle.name(clash[0])}, so it cannot go to ${name}`)
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
  if (value >= 0) void put(value)
  else if (event.key === 'Delete' || (event.key === 'Backspace' && (typing || puzzle.values(drawn)[grid.at] !== 0))) void put(0)
  else return
  event.preventDefault()
  event.stopPropagation()
})

/** The values to tap. */
function keypad() {
  const keys = Array.from({ length: puzzle.largest }, (_, index) => index + 1)
  part('keypad').replaceChildren(
    ...keys.map(value => html('button', { type: 'button', click: () => void put(value) }, String(value))),
    html('button', { type: 'button', 'aria-label': 'Empty the cell', click: () => void put(0) }, '⌫'))
  part('keypad').hidden = puzzle.largest > 25
}

/** A puzzle of a text: Kakuros have sums or clues, and Sudokus have neither. @param {string} text */
function pasted(text) {
  const chosen = select('paste-kind').value
  const kind = chosen || (/\\|values/.test(text) || /^\s*\d+( +\d+)+\s*\n\s*\d+\s*\n/.test(text) ? 'kakuro' : 'sudoku')
  return api.paste(kind, text)
}

// Typing a puzzle in.
does(button('type-in'), async () => {
  const order = puzzle.isSudoku && !typing ? puzzle.order : 3
  solo.show(false)
  typing = true
  document.body.classList.add('typing')
  puzzle = new Puzzle('sudoku:typed', { order, givens: Array(order ** 4).fill(0) })
  typed = puzzle.places.map(() => 0)
  grid.reset(puzzle)
  keypad()
  grid.draw(typed)
  describeTyped()
  grid.focus()
  announce('Type the values that the puzzle gives, then press Done.')
})
/** What stands beside the grid while a puzzle is typed in. */
function describeTyped() {
  part('title').textContent = 'Your puzzle'
  part('puzzle-name').textContent = part('left').textContent = part('contradiction').textContent = part('checked').textContent = ''
  part('score').textContent = String(typed.filter(Boolean).length)
  part('unit').textContent = 'values given'
  part('falling').hidden = true
}

/** Whatever is opened ends the typing: the grid has to be made anew. */
const open = solo.open.bind(solo)
solo.open = (problem, moves, about) => {
  if (typing) solo.loaded = ''
  typing = false
  document.body.classList.remove('typing')
  return open(problem, moves, about)
}
does(button('typed'), async () => {
  const side = puzzle.width
  const text = Array.from({ length: side }, (_, row) => typed.slice(row * side, (row + 1) * side).map(value => value || '.').join(' ')).join('\n')
  try {
    const { problem } = await api.paste('sudoku', text)
    await solo.open(problem, [])
  } catch (error) {
    // What was typed stays, and the message says which cells.
    const message = error instanceof Error ? error.message : String(error)
    const named = [...message.matchAll(/r\d+c\d+/g)].map(([name]) => puzzle.placeOf(name))
    grid.draw(typed, { wrong: new Set(named) })
    part('contradiction').textContent = message
  }
})
does(button('untyped'), () => solo.open(game.problem, game.moves, { at: game.at, title: game.title }))

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
find('puzzles', HTMLFormElement).onsubmit = event => {
  event.preventDefault()
  solo.open(seeded(), []).catch(complain)
}
does(button('another-puzzle'), () => {
  input('seed').value = String(Math.floor(Math.random() * 1_000_000))
  return solo.open(seeded(), [])
})

does(button('check'), async () => {
  const { solutions } = await api.solutions(game.problem)
  const words = { none: 'It has no solution: all possibilities were tried.', one: 'It has exactly one solution, as a puzzle should.', several: 'It has several solutions.' }
  part('checked').textContent = solutions === null ? 'It is too large to count its solutions here.' : words[solutions]
})
game.listen(({ opened }) => {
  if (opened) part('checked').textContent = part('contradiction').textContent = ''
})

input('see-possible').checked = choices.get('see-possible', false)
input('see-possible').onchange = () => {
  choices.set('see-possible', input('see-possible').checked)
  solo.draw()
}
solo.keys({ m: () => input('see-possible').click(), g: () => grid.focus() })
if (isCalm()) document.body.classList.add('calm')
await solo.begin()
