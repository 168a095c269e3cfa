// The page of tours with time windows.

import * as api from '../core/api.js'
import { button, find, html, input, part } from '../core/dom.js'
import { complain, does, save, submits } from '../core/page.js'
import { Solo } from '../core/solo.js'
import { count, shortName, worth } from '../core/text.js'
import { words } from '../core/words.js'
import { TourMap } from './map.js'
import { teach } from './teach.js'

/** @typedef {import('./map.js').Place} Place */
/** @typedef {{ place: number, arrival: number, begin: number, late: boolean }} Visit */
/** @typedef {{ map: 'given' | 'made up', clock: boolean, places: Place[], visits: Visit[], cost: number, violations: number }} View */

/** @type {Place[]} */
let places = []
/** @type {string[]} */
let drawn = []
/** The tour with its times, once the server has told. @type {View | null} */
let tour = null

/** Whether times are minutes of the day. */
let isClock = false

/** A time as the places have theirs. @param {number} time */
function timeText(time) {
  if (!isClock) return Number.isInteger(time) ? count(time) : time.toFixed(1)
  const minutes = Math.round(time)
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}

/** When a place is open. @param {Place} place */
function windowText({ earliest, latest, closes }) {
  if (closes) return words('tours.from-to', { from: timeText(earliest), to: timeText(latest) })
  return earliest > 0 ? words('tours.from-on', { time: timeText(earliest) }) : words('tours.always-open')
}

/** Goes to a place next. @param {number} place */
function visit(place) {
  const name = places[place]?.name ?? ''
  if (place !== 0 && !solo.showsSearch && !game.played.includes(name)) game.play(name)
}

/** What is known of a place, in words. @param {number} index */
function about(index) {
  const place = places[index]
  if (!place) return ''
  const stop = tour?.visits.findIndex(visit => visit.place === index) ?? -1
  const visited = stop >= 0 && stop < drawn.length ? tour?.visits[stop] : undefined
  const times = visited ? words(visited.late ? 'tours.stop-too-late' : 'tours.stop-at', { stop: stop + 1, time: timeText(visited.arrival) }) : ''
  return `${place.name}${index === 0 ? ` (${words('tours.start-and-end')})` : ''}: ${windowText(place)}${times}`
}

/** The place that is pointed at. @type {number | null} */
let pointed = null
const describePointed = () => (part('place-about').textContent = pointed === null ? '' : about(pointed))

const map = new TourMap(find('board', SVGSVGElement), {
  chosen: visit,
  looked(place) {
    pointed = place
    describePointed()
  },
})

const solo = new Solo({
  first: 'tsptw:places=20,seed=1',
  owns: problem => problem === 'tsptw' || problem.startsWith('tsptw:'),
  async load(problem) {
    const { view } = await api.position(problem, [])
    places = view.places
    isClock = view.clock
    tour = null
    map.reset(places)
    part('no-map').hidden = view.map === 'given'
  },
  draw(moves) {
    drawn = moves
    map.draw(order(moves), new Set())
    void time(moves)
  },
  isOver: () => drawn.length + 1 >= places.length,
  point: move => map.drawn.forEach((group, place) => group.classList.toggle('advised', move !== null && places[place]?.name === move)),
  promise: found => words('tours.belongs-to', { tour: worth(found.score, found.meaning), n: found.playouts }),
  standing: moves => words('tours.places-visited', { visited: moves.length, all: places.length - 1 }),
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
  part('title').textContent = game.title || words('shared.tours')
  part('tour-name').textContent = shortName(solo.loaded).replace('tsptw:', '').replaceAll(',', ', ')
  part('score').textContent = view.cost.toFixed(1)
  const late = view.visits.filter(visit => visit.late)
  part('left').textContent = isWhole ? words('tours.all-visited', { all: places.length }) : words('tours.choose-next', { visited: drawn.length, all: places.length - 1 })
  part('late').textContent = late.length === 0 ? '' : words('tours.too-late-at', { places: late.map(visit => places[visit.place]?.name).join(', ') })
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
      const remark = visit.late ? words('tours.too-late') : wait > 0 ? words('tours.waits', { time: isClock ? `${Math.round(wait)} min` : wait.toFixed(1) }) : ''
      return html('li', { class: visit.late ? 'late' : '' },
        html('span', { class: 'who' }, place.name), html('span', { class: 'line' }, window_, tick),
        html('span', { class: 'when' }, timeText(visit.arrival)), html('small', { class: 'open' }, windowText(place)), html('small', { class: 'remark' }, remark))
    }))
  describeLeft()
}

/** The places that have not been visited, those that close first on top: a click goes there next. */
function describeLeft() {
  const left = places.flatMap((place, index) => (index > 0 && !drawn.includes(place.name) ? [{ place, index }] : []))
  left.sort((one, other) => one.place.latest - other.place.latest)
  part('left-title').hidden = left.length === 0
  part('unvisited').replaceChildren(
    ...left.map(({ place, index }) =>
      html('li', {}, html('button', { type: 'button', class: 'quiet', click: () => visit(index) }, html('span', { class: 'who' }, place.name), html('small', {}, windowText(place))))))
  places.forEach((_, index) => map.name(index, about(index)))
  describePointed()
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
submits('places', () => solo.open(`tsptw:places=${input('count').value},seed=${input('seed').value || 0}`, []))

async function collections() {
  const all = await api.collections('tsptw')
  part('collections').hidden = all.length === 0
  const menu = find('collection', HTMLSelectElement)
  menu.append(html('option', { value: '' }, 'choose'), ...all.map(({ name }) => html('option', { value: `tsptw:${name}` }, name)))
  menu.onchange = () => menu.value && solo.open(menu.value, []).catch(complain)
}

teach(game)
solo.keys()
void collections().catch(complain)
await solo.begin()
