// The first page: a search at work at once, and ways into everything else.

import * as api from '../core/api.js'
import { linkText, pageOf } from '../core/address.js'
import { addressOf as dailyAddress, boards, history, today } from '../core/daily.js'
import { button, find, html, isCalm, part } from '../core/dom.js'
import { Searches } from '../core/events.js'
import { isDark, themes } from '../core/page.js'
import { addressOf, kept } from '../core/shelf.js'
import { ago, shortName, worth } from '../core/text.js'
import { words } from '../core/words.js'
import { Board } from '../morpion/board.js'
import { pack, read } from '../morpion/notation.js'
import { VARIANTS, variantOf } from '../morpion/rules.js'
import { search } from './search.js'

// Links to games of Morpion Solitaire led here once.
const goOn = () => linkText() && location.replace(`${pageOf('morpion-5t')}${location.hash}`)
addEventListener('hashchange', goOn)
goOn()

themes()

/** Milliseconds of a slice of the search, and seconds of work after which it rests. */
const SLICE = 6
const PATIENCE = 25

const variant = /** @type {import('../morpion/rules.js').Variant} */ (VARIANTS['5D'])
const board = new Board(find('board', SVGSVGElement))
/** The record of the variant, once it is known. */
let record = 0

/** @type {import('../morpion/rules.js').Move[]} */
let shown = []
function draw() {
  board.draw({ variant, moves: shown, numbers: false, ages: true, dark: isDark() })
}

/** Searches until it has had its time, a slice at a time. */
function work() {
  const going = search(variant)
  let spent = 0
  let games = 0
  shown = []
  draw()
  const slice = () => {
    if (document.hidden) return void (waiting = setTimeout(slice, 500))
    const began = performance.now()
    while (performance.now() - began < SLICE) {
      const { value } = going.next()
      if (!value) break
      games = value.games
      if (value.best.length > shown.length) shown = value.best
    }
    spent += performance.now() - began
    if (Number(part('best').textContent) !== shown.length) {
      part('best').textContent = String(shown.length)
      draw()
    }
    const isOver = spent > PATIENCE * 1000
    const far = record > 0 ? [words('home.the-record-is', { record })] : []
    part('work-count').textContent = [words('home.random-games-so-far', { n: games }), ...far, ...(isOver ? [words('home.it-rests-now')] : [])].join(' ')
    if (!isOver) waiting = setTimeout(slice, isCalm() ? 60 : 14)
  }
  slice()
}
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting
button('work-again').onclick = () => {
  clearTimeout(waiting)
  part('best').textContent = '0'
  work()
}
work()
addEventListener('theme', draw)
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw)

/** A line of a list: what it is worth, what it is, and when. @param {string} href @param {string} value @param {string} words @param {string} when */
const row = (href, value, words, when) => html('li', {}, html('a', { href }, html('strong', {}, value), html('span', {}, words), html('small', {}, when)))

// The games of the day.
const results = history()
part('today').replaceChildren(
  ...boards().map(daily => {
    const mine = results.find(result => result.date === today() && result.game === daily.game)
    const days = new Set(results.filter(result => result.game === daily.game && result.done).map(result => result.date)).size
    return row(dailyAddress(daily), daily.game, !mine ? words('home.not-played-yet') : mine.done ? mine.worth : words('home.so-far', { worth: mine.worth }), days > 0 ? words('home.days-finished', { n: days }) : '')
  }))

/** How many days of the boards are listed. */
const DAYS = 60
part('past').hidden = results.length === 0
part('past-list').replaceChildren(...results.slice(0, DAYS).map(({ date, game, worth, done }) =>
  html('li', {}, html('span', { class: 'line' }, html('strong', {}, game), html('span', {}, done ? worth : words('home.not-finished', { worth })), html('small', {}, date)))))

// Your games.
const yours = kept().slice(0, 6)
part('yours').replaceChildren(...yours.map(entry => row(addressOf(entry), '', `${entry.worth} · ${shortName(entry.problem)}`, ago(entry.date))))
part('yours-none').hidden = yours.length > 0

/** The page of runs is the last in the list of pages. */
const runsPage = document.querySelector('nav a:last-child')?.getAttribute('href') ?? ''
/** @param {api.Run} run */
const runRow = run =>
  row(`${runsPage}#${run.id}`, worth(run.best, run.meaning), `${shortName(run.problem)} · ${run.search}`, run.state === 'running' ? words('home.running') : ago(run.started))

const searches = new Searches()
searches.listen(news => {
  if (news.event === 'connection') return
  const going = [...searches.going.values()]
  part('going').hidden = going.length === 0
  part('going-list').replaceChildren(...going.map(run => row(`${pageOf(run.problem)}#run-${run.id}`, worth(run.best, run.meaning), `${shortName(run.problem)} · ${run.search}`, words('home.playouts', { n: run.playouts }))))
})

async function fill() {
  const runs = await api.runs(5).catch(() => [])
  part('runs').replaceChildren(...runs.map(runRow))
  part('runs-none').hidden = runs.length > 0
  part('report').hidden = !(await api.about().catch(() => ({ report: false }))).report
}

async function records() {
  for (const name of ['5T', '5D', '4T', '4D']) {
    const problem = VARIANTS[name]?.problem ?? ''
    const games = (await api.records(problem).catch(() => [])).filter(game => !game.own)
    const best = games.sort((one, other) => other.score - one.score)[0]
    const lines = variantOf(problem)
    if (!best || !lines) continue
    if (name === variant.name) record = best.score
    const link = `${pageOf(problem)}#${pack(lines, best.moves.map(text => read(lines, text)))}`
    part('records').append(row(link, String(best.score), `${name} · ${best.author ?? best.search ?? ''}`, best.date ?? ''))
  }
}
await Promise.all([fill(), records()])
document.body.classList.add('ready')
