// The page of tours with time windows.

import * as api from '../core/api.js'
import { button, find, html, input, part } from '../core/dom.js'
import { complain, does, save } from '../core/page.js'
import { Solo } from '../core/solo.js'
import { count, plural, shortName, worth } from '../core/text.js'
import { TourMap } from './map.js'

/** @typedef {import('./map.js').Place} Place */
/** @typedef {{ place: number, arrival: number, begin: number, late: boolean }} Visit */
/** @typedef {{ places: Place[], visits: Visit[], cost: number, violations: number }} View */

/** @type {Place[]} */
let places = []
/** @type {string[]} */
let drawn = []
/** The tour with its times, once the server has told. @type {View | null} */
let tour = null

const map = new TourMap(find('board', SVGSVGElement), place => {
  const name = places[place]?.name ?? ''
  if (place !== 0 && !solo.showsSearch && !game.played.includes(name)) game.play(name)
})

const solo = new Solo({
  first: 'tsptw:places=20,seed=1',
  owns: problem => problem === 'tsptw' || problem.startsWith('tsptw:'),
  async load(problem) {
    const { view } = await api.position(problem, [])
    places = view.places
    map.reset(places)
    part('no-map').hidden = places.every(place => place.x !== undefined)
  },
  draw(moves) {
    drawn = moves
    map.draw(order(moves), new Set())
    void time(moves)
  },
  isOver: () => drawn.length + 1 >= places.length,
  point: move => map.drawn.forEach((group, place) => group.classList.toggle('advised', move !== null && places[place]?.name === move)),
  promise: found => `belongs to a tour: ${worth(found.score, found.meaning)}, the best of ${plural(found.playouts, 'playout')}`,
  worth: opened => worth(opened.score, opened.meaning),
  paste: text => api.paste('tsptw', text),
})
const { game } = solo

/** @param {string[]} moves */
function order(moves) {
  const numbers = new Map(places.map((place, index) => [place.name, index]))
  return moves.map(name => numbers.get(name) ?? 0)
}

/** The times of a tour. @param {string[]} moves */
async function time(moves) {
  const problem = solo.loaded
  /** @type {{ view: View | null }} */
  const { view } = await api.position(problem, moves).catch(error => (complain(error), { view: null }))
  if (!view || moves !== drawn || problem !== solo.loaded) return
  tour = view
  const late = new Set(view.visits.filter(visit => visit.late).map(visit => visit.place))
  map.draw(order(moves), late)
  describe(view)
}

/** @param {View} view */
function describe(view) {
  const isWhole = drawn.length + 1 === places.length
  part('title').textContent = game.title || 'Tours'
  part('tour-name').textContent = shortName(solo.loaded).replace('tsptw:', '').replaceAll(',', ', ')
  part('score').textContent = view.cost.toFixed(1)
  const late = view.visits.filter(visit => visit.late)
  part('left').textContent = isWhole ? `All ${count(places.length)} places are visited.` : `${drawn.length} of ${places.length - 1} places visited. Click one to go there next.`
  part('late').textContent = late.length === 0 ? '' : `Too late at ${late.map(visit => places[visit.place]?.name).join(', ')}.`
  button('table').disabled = drawn.length === 0
  const end = Math.max(...places.map(place => place.latest).filter(latest => latest < 1e8), ...view.visits.map(visit => visit.begin), 1)
  const share = (/** @type {number} */ time) => `${Math.min(100, (100 * time) / end)}%`
  part('visits').replaceChildren(
    ...view.visits.slice(0, isWhole ? undefined : drawn.length).map(visit => {
      const place = places[visit.place]
      if (!place) return ''
      const [window_, tick] = [html('span', { class: 'window' }), html('span', { class: 'tick' })]
      window_.style.insetInlineStart = share(place.earliest)
      window_.style.inlineSize = share(Math.max(Math.min(place.latest, end) - place.earliest, end / 300))
      tick.style.insetInlineStart = share(visit.arrival)
      const wait = visit.begin - visit.arrival
      const remark = visit.late ? 'too late' : wait > 0 ? `waits ${wait.toFixed(1)}` : ''
      return html('li', { class: visit.late ? 'late' : '', title: `${place.name}: ${place.earliest} to ${place.latest}` },
        html('span', { class: 'who' }, place.name), html('span', { class: 'line' }, window_, tick),
        html('span', { class: 'when' }, visit.arrival.toFixed(1)), html('small', {}, remark))
    }))
}

/** A field of a table. @param {string | number | boolean} value */
const field = value => (/[",\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value))

does(button('table'), () => {
  if (!tour) return
  const rows = tour.visits.slice(0, drawn.length + 1).map((visit, index) => {
    const place = places[visit.place]
    return [index + 1, place?.name ?? '', visit.arrival, visit.begin, place?.earliest ?? '', place?.latest ?? '', visit.late]
  })
  const text = [['stop', 'name', 'arrival', 'begin', 'earliest', 'latest', 'late'], ...rows].map(row => row.map(field).join(',')).join('\n')
  save(new Blob([`${text}\n`], { type: 'text/csv' }), 'tour.csv')
})

// Places: pasted, dropped, by seed, from collections.
does(button('paste-places'), () => find('paste-dialog', HTMLDialogElement).showModal())
find('paste-form', HTMLFormElement).onsubmit = async event => {
  event.preventDefault()
  part('paste-error').textContent = ''
  try {
    const { problem } = await api.paste('tsptw', find('paste-text', HTMLTextAreaElement).value)
    find('paste-dialog', HTMLDialogElement).close()
    await solo.open(problem, [])
  } catch (error) {
    part('paste-error').textContent = error instanceof Error ? error.message : String(error)
  }
}
find('places', HTMLFormElement).onsubmit = event => {
  event.preventDefault()
  solo.open(`tsptw:places=${input('count').value},seed=${input('seed').value || 0}`, []).catch(complain)
}

async function collections() {
  const all = await api.collections('tsptw')
  part('collections').hidden = all.length === 0
  const menu = find('collection', HTMLSelectElement)
  menu.append(html('option', { value: '' }, 'choose'), ...all.map(({ name }) => html('option', { value: `tsptw:${name}` }, name)))
  menu.onchange = () => menu.value && solo.open(menu.value, []).catch(complain)
}

solo.keys()
void collections().catch(complain)
await solo.begin()
