// The page of runs: all that are kept, those that go on as they go on, and the best games.

import * as api from '../core/api.js'
import { pack, pageOf } from '../core/address.js'
import { today } from '../core/daily.js'
import { Searches } from '../core/events.js'
import { button, figure, html, part } from '../core/dom.js'
import { complain, does, isNarrow, themes } from '../core/page.js'
import { ago, brief, shortName } from '../core/text.js'
import { words } from '../core/words.js'
import { pack as packMorpion, read } from '../morpion/notation.js'
import { variantOf } from '../morpion/rules.js'
import { Detail } from './detail.js'
import { offerPacks } from './packs.js'
import { Row } from './row.js'

/** How often runs of other processes are looked at, in milliseconds. */
const PULSE = 3000

themes()

const searches = new Searches()
/** @type {Map<number, api.Run>} */
let runs = new Map()
let limit = 50
const detail = new Detail(searches)

/** The rows of the list, kept while their runs go on: one that is replaced cannot be clicked. @type {Map<number, Row>} */
const rows = new Map()

function show() {
  const all = [...runs.values()].sort((one, other) => other.id - one.id)
  const list = part('list')
  for (const [id, row] of rows) {
    if (!runs.has(id)) (row.element.remove(), rows.delete(id))
  }
  all.forEach((run, index) => {
    const row = rows.get(run.id) ?? new Row(run.id)
    rows.set(run.id, row)
    row.show(run, run.id === detail.id)
    if (list.children[index] !== row.element) list.insertBefore(row.element, list.children[index] ?? null)
  })
  part('empty').hidden = all.length > 0
  button('more').hidden = all.length < limit
}

async function load() {
  try {
    runs = new Map((await api.runs(limit)).map(run => [run.id, searches.going.get(run.id) ?? run]))
    show()
  } catch (error) {
    complain(error)
  }
}

/** The page that shows a game. @param {api.Remembered} game */
function board({ problem, moves }) {
  const variant = variantOf(problem)
  return `${pageOf(problem)}#${variant ? packMorpion(variant, moves.map(text => read(variant, text))) : pack(problem, moves)}`
}

async function loadFame() {
  const found = await api.foundHere().catch(() => [])
  const problems = [...new Set(found.map(game => game.problem))]
  const item = (/** @type {api.Remembered} */ game) =>
    html('li', {},
      html('a', { href: board(game) },
        figure(html('strong'), game.score, game.meaning, brief),
        html('span', {}, html('code', {}, game.search ?? ''), html('small', {}, words('runs.seed-when', { seed: String(game.seed), when: ago(game.date ?? '') })))))
  const list = (/** @type {string} */ problem) =>
    html('section', {}, html('h2', {}, shortName(problem)),
      html('ol', {}, ...found.filter(game => game.problem === problem).slice(0, 5).map(item)))
  part('fame').replaceChildren(...problems.map(list))
  const fresh = found.filter(({ date }) => date && today(new Date(date)) === today())
  part('found-today').textContent = fresh.length > 0 ? words('runs.found-today', { n: fresh.length }) : ''
}

searches.listen(news => {
  if (news.event === 'failed' || news.event === 'trouble') complain(news.error)
  if (news.event === 'deleted') runs.delete(news.id)
  else if (news.event === 'state') for (const run of news.runs) runs.set(run.id, run)
  else if (news.event === 'run') runs.set(news.id, news)
  else if ('id' in news) {
    const live = searches.going.get(news.id)
    if (live) runs.set(news.id, live)
  }
  if (news.event === 'run' && !news.here) void loadFame()
  show()
})

does(button('more'), async () => {
  limit *= 2
  await load()
})

const choose = () => {
  const id = Number(location.hash.slice(1))
  // Where there is room beside the list, it is not left empty.
  const newest = isNarrow() ? 0 : Math.max(0, ...runs.keys())
  void detail.open(Number.isInteger(id) && id > 0 ? id : newest).then(show)
}
addEventListener('hashchange', choose)
setInterval(() => document.hidden || void load().then(() => detail.again()).catch(complain), PULSE)
await load()
choose()
void loadFame()
api.about().then(({ report, packs }) => {
  part('report').hidden = !report
  if (packs) offerPacks(load)
}, complain)
