// The page of any problem, as far as text goes: those of the registry that have no page of their own, and people's own.

import * as api from '../core/api.js'
import { isHere } from '../core/address.js'
import { button, figure, find, html, input, part, select } from '../core/dom.js'
import { known } from '../core/known.js'
import { complain, does, isDark, submits } from '../core/page.js'
import { Solo } from '../core/solo.js'
import { score, shortName } from '../core/text.js'
import { words } from '../core/words.js'

/** So many legal moves are shown as buttons. */
const MOST = 200

/** @type {string[]} */
let drawn = []
/** What the server says of what is drawn. @type {api.Position | null} */
let position = null
let picture = ''

const names = (await api.problems().catch(() => [])).filter(({ name }) => isHere(name))

const solo = new Solo({
  first: names[0]?.name ?? 'left-move',
  owns: isHere,
  async load(problem) {
    const { goal, unit } = await known(problem)
    part('unit').textContent = unit ?? 'score'
    const name = problem.split(':')[0] ?? ''
    select('problem').value = name
    input('parameters').value = problem.slice(name.length + 1)
    part('title').textContent = shortName(problem)
    part('summary').textContent = names.find(one => one.name === name)?.summary ?? ''
    part('goal').textContent = words(goal === 'max' ? 'problems.more-is-better' : 'problems.less-is-better')
  },
  draw(moves, { isSearch }) {
    drawn = moves
    void ask(moves, isSearch)
  },
  isOver: () => position !== null && position.legal_moves.length === 0,
  point: move => part('legal').querySelectorAll('button').forEach(button => button.classList.toggle('advised', button.textContent === move)),
  promise: found => words('problems.leads-to', { worth: found.meaning ? `“${found.meaning.words}”` : words('problems.the-score', { score: score(found.score) }), n: found.playouts }),
  standing: moves => words('problems.moves-made', { n: moves.length }),
  worth: opened => opened.meaning?.words ?? words('problems.score', { score: score(opened.score) }),
  paste: text => api.paste('model', text),
})
const { game } = solo

/** @param {string[]} moves @param {boolean} isSearch */
async function ask(moves, isSearch) {
  const problem = solo.loaded
  try {
    const found = await api.position(problem, moves)
    if (moves !== drawn || problem !== solo.loaded) return
    position = found
    show(found, isSearch)
    await draw(problem, moves)
  } catch (error) {
    complain(error)
  }
}

/** @param {api.Position} found @param {boolean} isSearch */
function show(found, isSearch) {
  figure(part('score'), found.score, found.meaning)
  part('left').textContent = found.legal_moves.length === 0 ? words('problems.the-game-is-over') : words('problems.moves-possible', { n: found.legal_moves.length })
  part('sequence').replaceChildren(...found.moves.map((move, index) => html('li', { 'aria-current': index === found.moves.length - 1 ? 'true' : null }, html('code', {}, move))))
  part('sequence-empty').hidden = found.moves.length > 0
  part('choices').hidden = isSearch || found.legal_moves.length === 0
  part('legal').replaceChildren(
    ...found.legal_moves.slice(0, MOST).map(move => html('button', { type: 'button', click: () => game.play(move) }, move)))
  part('legal-more').textContent = found.legal_moves.length > MOST ? words('problems.and-more-type-one', { n: found.legal_moves.length - MOST }) : ''
  button('hint').disabled = button('finish').disabled = found.legal_moves.length === 0
}

/** A picture of the game, where the problem has one. @param {string} problem @param {string[]} moves */
async function draw(problem, moves) {
  const { formats } = await known(problem)
  const frame = find('picture', HTMLImageElement)
  if (!formats.some(format => format.name === 'svg')) {
    frame.hidden = true
    return
  }
  const { file } = await api.exported({ problem, moves, format: 'svg', theme: isDark() ? 'dark' : 'light' })
  if (moves !== drawn || problem !== solo.loaded) return
  URL.revokeObjectURL(picture)
  picture = URL.createObjectURL(file)
  frame.src = picture
  frame.hidden = false
}

select('problem').append(...names.map(({ name }) => html('option', { value: name }, name)))
const wanted = () => (input('parameters').value.trim() ? `${select('problem').value}:${input('parameters').value.trim()}` : select('problem').value)
select('problem').onchange = () => {
  input('parameters').value = ''
  part('summary').textContent = names.find(one => one.name === select('problem').value)?.summary ?? ''
  solo.open(wanted(), []).catch(complain)
}
submits('chosen', () => solo.open(wanted(), []))
/** The smallest model that says something. */
const EXAMPLE = `choices = ["tent", "stove", "rope", "lamp", "map", "camera"]
repeat = false
legal = "load + weight[choice] <= 12"
score = "gain"
[data]
weight = [9, 5, 4, 2, 1, 3]
value = [30, 18, 11, 9, 4, 12]
[state]
load = { start = 0, next = "load + weight[choice]" }
gain = { start = 0, next = "gain + value[choice]" }
`
const model = find('model-text', HTMLTextAreaElement)
model.value = EXAMPLE
button('model-example').onclick = () => (model.value = EXAMPLE)
does(button('write-model'), () => find('model-dialog', HTMLDialogElement).showModal())
find('model-form', HTMLFormElement).onsubmit = async event => {
  event.preventDefault()
  part('model-error').textContent = ''
  try {
    const { problem } = await api.paste('model', model.value)
    await solo.open(problem, [])
    find('model-dialog', HTMLDialogElement).close()
  } catch (error) {
    part('model-error').textContent = error instanceof Error ? error.message : String(error)
  }
}

find('typed', HTMLFormElement).onsubmit = async event => {
  event.preventDefault()
  const text = input('move').value.trim()
  if (!text) return
  try {
    // The server writes moves as they are to be written.
    const { moves } = await api.position(solo.loaded, [...game.played, text])
    game.play(moves[moves.length - 1] ?? text)
    input('move').value = ''
  } catch (error) {
    complain(error)
  }
}
does(button('copy'), async () => {
  await navigator.clipboard.writeText(drawn.join('\n'))
})
solo.keys()
await solo.begin()
