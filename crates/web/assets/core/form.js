// A search to be started: menus, the expression behind them, and what it costs.

import * as api from './api.js'
import { button, html, input, part, select } from './dom.js'
import { known } from './known.js'
import { algorithms, chosenBy, round } from './menu.js'
import { complain, submits } from './page.js'
import { choices } from './prefer.js'
import { about, roughly } from './text.js'
import { words } from './words.js'

/**
 * @param {import('./watch.js').Subject} subject
 * @param {(run: api.Live) => void} follow
 */
export async function searchForm(subject, follow) {
  const listed = await algorithms()
  const [algorithm, level, time] = [select('algorithm'), select('level'), select('time')]
  const [devices, device] = [part('device-choice'), select('device')]
  const [expression, fromHere, cost] = [input('expression'), input('from-here'), part('cost')]
  /** @type {AbortController | null} */
  let asking = null
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting

  algorithm.append(
    ...Object.entries(listed).map(([key, { name }]) => html('option', { value: key }, name)),
    html('option', { value: 'own' }, words('core.own-expression')),
  )

  /** @param {string} key @param {string} [chosen] */
  function showLevels(key, chosen) {
    const one = listed[key]
    level.disabled = !one || one.levels.length === 1
    if (!one) return
    part('level-name').textContent = one.level
    level.replaceChildren(...one.levels.map(name => html('option', { value: name }, name)))
    level.value = chosen ?? one.usual
  }

  function fromMenus() {
    const one = listed[algorithm.value]
    if (one) expression.value = one.expression(level.value)
    else expression.focus()
    changed()
  }

  function changed() {
    choices.set(`search${location.pathname}`, expression.value)
    clearTimeout(waiting)
    waiting = setTimeout(() => void explain(), 250)
  }

  /** What is to search: never what a person cannot choose. @returns {api.Device} */
  const chosenDevice = () => (!devices.hidden && device.value === 'cuda' ? 'cuda' : 'cpu')

  /** Lets people choose where there is a choice. */
  async function offer() {
    const problem = subject.problem()
    const offered = (await known(problem)).devices
    if (problem !== subject.problem()) return
    const before = chosenDevice()
    devices.hidden = !offered.includes('cuda')
    if (chosenDevice() !== before) changed()
  }

  /** What the search costs, or why it would be refused. */
  async function explain() {
    asking?.abort()
    asking = new AbortController()
    const text = expression.value.trim() || null
    const menu = listed[algorithm.value]?.about ?? ''
    try {
      // The whole is asked for as well: only it can be wrong in the way that would be refused.
      const order = { problem: subject.problem(), search: text, seconds: Number(time.value), device: chosenDevice() }
      const whole = await api.explain(order, asking.signal)
      const one = round(whole.search)
      const part = one === whole.search ? whole : await api.explain({ ...order, search: one }, asking.signal)
      const isRound = one !== whole.search
      // Nobody knows beforehand how fast a GPU is.
      const lasts = part.seconds === null ? '' : `, ${about(part.seconds)}`
      const price = part.playouts === null || (part.seconds === null && order.device === 'cpu')
        ? words('core.until-time-is-over')
        : words(isRound ? 'core.price-of-a-round' : 'core.price', { playouts: roughly(part.playouts), lasts })
      const why = text === null ? `${whole.search}: ${whole.reason}.` : menu
      cost.textContent = `${why} ${price}`.trim()
      cost.classList.remove('error')
      button('start').disabled = false
    } catch (error) {
      if (error instanceof DOMException) return
      cost.textContent = error instanceof Error ? error.message : String(error)
      cost.classList.add('error')
      button('start').disabled = true
    }
  }

  algorithm.onchange = () => (showLevels(algorithm.value), fromMenus())
  level.onchange = fromMenus
  time.onchange = changed
  device.onchange = () => {
    choices.set('device', device.value)
    changed()
  }
  expression.oninput = () => {
    const menu = chosenBy(listed, expression.value.trim())
    algorithm.value = menu?.key ?? 'own'
    showLevels(algorithm.value, menu?.level)
    changed()
  }
  submits('search', async () => {
    const from = fromHere.checked ? subject.moves() : []
    const [problem, search, seconds] = [subject.problem(), expression.value.trim() || null, Number(time.value)]
    follow(await api.begin({ problem, search, from, seconds, device: chosenDevice() }))
  })

  const usable = () => {
    fromHere.disabled = subject.moves().length === 0
    if (fromHere.disabled) fromHere.checked = false
  }
  let problem = subject.problem()
  subject.listen(() => {
    usable()
    if (problem !== subject.problem()) (changed(), offer().catch(complain))
    problem = subject.problem()
  })
  usable()
  device.value = choices.get('device', 'cpu')
  offer().catch(complain)
  expression.value = choices.get(`search${location.pathname}`, '')
  const menu = chosenBy(listed, expression.value)
  algorithm.value = menu?.key ?? 'own'
  showLevels(algorithm.value, menu?.level)
  changed()
}
