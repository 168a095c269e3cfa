// The page of SameGame.

import * as api from '../core/api.js'
import { button, find, html, input, part, select } from '../core/dom.js'
import { announce, complain, does, say, submits } from '../core/page.js'
import { choices } from '../core/prefer.js'
import { Solo } from '../core/solo.js'
import { count, shortName } from '../core/text.js'
import { words } from '../core/words.js'
import { Board } from './board.js'
import { Position, pointsOf, read, write } from './rules.js'
import { teach } from './teach.js'

/** @typedef {import('./rules.js').Place} Place */

const board = new Board(find('board', SVGSVGElement))
/** The colours at the start. @type {number[][]} */
let start = []
let position = new Position([], [])
/** The group that is looked at. @type {Place[]} */
let looked = []
/** Where the keyboard is. @type {Place} */
let cursor = { column: 0, row: 0 }

const solo = new Solo({
  first: 'samegame:seed=1,size=10x10,colours=4',
  owns: problem => problem === 'samegame' || problem.startsWith('samegame:'),
  async load(problem) {
    const { view } = await api.position(problem, [])
    start = view.columns
    board.reset(start)
  },
  draw(moves, { isSearch }) {
    position = new Position(start, moves)
    if (isSearch) board.draw(new Position(start, []), position.taken)
    else board.draw(position)
    look([])
    part('end').textContent = isSearch || position.columns.length > 0 ? '' : words('samegame.cleared', { n: position.score })
    if (!isSearch) describe()
  },
  isOver: () => position.groups.length === 0,
  point: move => board.point(position, move === null ? [] : position.group(read(move)), 'advised'),
  promise: found => words('samegame.leads-to', { points: words('samegame.count-points', { n: found.score }), n: found.playouts }),
  worth: opened => words('samegame.count-points', { n: opened.score }),
  standing: moves => words('samegame.count-points', { n: new Position(start, moves).score }),
  paste: text => api.paste('samegame', text),
})
const { game } = solo

/** Looks at a group, or at none. @param {Place[]} group */
function look(group) {
  looked = group.length > 1 ? group : []
  const points = pointsOf(looked.length)
  board.point(position, looked, 'in', looked.length > 0 ? `+${points}` : '')
  part('preview').textContent = looked.length > 0 ? `${words('sudoku.cells', { n: looked.length })}, ${words('samegame.count-points', { n: points })}` : ''
}

/** Takes the group that is looked at. */
function take() {
  const first = looked[0]
  if (first && !solo.showsSearch) game.play(write(first))
}

/** Your own best on this board. */
const own = () => `samegame-best-${game.problem}`

/** What stands beside the board. */
function describe() {
  const { groups, columns, score } = position
  const left = columns.reduce((sum, column) => sum + column.length, 0)
  part('score').textContent = count(score)
  part('title').textContent = game.title || 'SameGame'
  part('board-name').textContent = shortName(game.problem).replace('samegame:', '').replaceAll(',', ', ')
  const over = left === 0 ? words('samegame.board-is-cleared') : words('samegame.is-over', { n: left })
  part('left').textContent = groups.length === 0 ? over : words('samegame.groups', { n: groups.length, cells: words('sudoku.cells', { n: left }) })
  // What a search has found is not one's own.
  const isOwn = Object.keys(game.provenance).length === 0
  if (groups.length === 0 && isOwn && score > choices.get(own(), 0)) {
    choices.set(own(), score)
    if (game.moves.length > 0) announce(`${over} ${count(score)} points.`)
  }
  if (game.at === 0 || groups.length === 0) void best()
}

async function best() {
  const { problem } = game
  const found = await api.records(problem).catch(() => [])
  if (problem !== game.problem) return
  const mine = choices.get(own(), 0)
  const searched = found[0] ? words('samegame.by-a-search', { score: found[0].score }) : ''
  part('best-here').textContent = [mine > 0 ? words('samegame.your-best-here', { score: mine }) : '', searched].filter(Boolean).join(' · ')
}

// Mouse and fingers: a mouse points, and takes what it points at; a finger looks first, and takes at the second tap.
board.element.addEventListener('pointermove', event => {
  if (event.pointerType === 'mouse' && !solo.showsSearch) look(position.group(board.place(event.clientX, event.clientY)))
})
board.element.addEventListener('pointerleave', event => {
  if (event.pointerType === 'mouse') look([])
})
board.element.addEventListener('pointerup', event => {
  if (event.button !== 0 || solo.showsSearch) return
  const group = position.group(board.place(event.clientX, event.clientY))
  const isSame = group.length > 1 && looked.some(place => write(place) === write(group[0] ?? place))
  look(group)
  if (group.length === 1) say(words('samegame.single-cell-stays'))
  if (event.pointerType === 'mouse' || isSame) take()
})

// The keyboard: arrows from cell to cell.
/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }
board.element.addEventListener('keydown', event => {
  const arrow = ARROWS[event.key]
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (arrow) {
    const column = Math.max(0, Math.min(position.columns.length - 1, cursor.column + arrow[0]))
    const height = position.columns[column]?.length ?? 1
    cursor = { column, row: Math.max(0, Math.min(height - 1, cursor.row + arrow[1])) }
    showCursor()
  } else if (event.key === 'Enter' || event.key === ' ') {
    take()
    cursor.column = Math.min(cursor.column, Math.max(0, position.columns.length - 1))
    cursor.row = Math.min(cursor.row, Math.max(0, (position.columns[cursor.column]?.length ?? 1) - 1))
    showCursor()
  } else return
  event.preventDefault()
})

function showCursor() {
  board.point(position, [cursor], 'cursor')
  look(position.group(cursor))
  announce(`${write(cursor)}: ${part('preview').textContent || words('samegame.a-single-cell')}`)
}
board.element.addEventListener('blur', () => board.point(position, [], 'cursor'))

// Boards: by seed, from collections, pasted.
/** @param {string} problem */
const choose = problem => solo.open(problem, [])
const seeded = () => `samegame:seed=${input('seed').value || 0},size=${select('size').value},colours=${select('colours').value}`
submits('boards', () => choose(seeded()))
does(button('another-board'), () => {
  input('seed').value = String(Math.floor(Math.random() * 1_000_000))
  return choose(seeded())
})
does(button('paste-board'), () => find('paste-dialog', HTMLDialogElement).showModal())
find('paste-form', HTMLFormElement).onsubmit = async event => {
  event.preventDefault()
  try {
    const { problem } = await api.paste('samegame', find('paste-text', HTMLTextAreaElement).value)
    find('paste-dialog', HTMLDialogElement).close()
    await choose(problem)
  } catch (error) {
    part('paste-error').textContent = error instanceof Error ? error.message : String(error)
  }
}

async function collections() {
  const all = await api.collections('samegame')
  part('collections').hidden = all.length === 0
  const menu = select('collection')
  menu.append(
    html('option', { value: '' }, 'choose'),
    ...all.flatMap(({ name, puzzles }) =>
      Array.from({ length: puzzles }, (_, index) => html('option', { value: `samegame:${name}#${index + 1}` }, `${name.replaceAll('_', ' ')}, board ${index + 1}`))),
  )
  menu.onchange = () => {
    if (menu.value) choose(menu.value).catch(complain)
  }
}

teach(game)
solo.keys()
void collections().catch(complain)
await solo.begin()
