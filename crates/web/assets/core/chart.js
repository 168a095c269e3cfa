// Charts that are drawn anew several times a second: steps and bars.

import { svg } from './dom.js'

const LEFT = 34
const RIGHT = 8
const TOP = 8
const BOTTOM = 20

/**
 * Round numbers that cover a range: steps of 1, 2 or 5 times a power of ten.
 * @param {number} least @param {number} greatest @param {number} count @param {boolean} whole only whole numbers
 */
export function ticks(least, greatest, count, whole = false) {
  const rough = Math.max((greatest - least) / count, 1e-9)
  const power = 10 ** Math.floor(Math.log10(rough))
  const factor = [1, 2, 5, 10].find(factor => factor * power >= rough * 0.8) ?? 10
  const step = whole ? Math.max(1, Math.round(factor * power)) : factor * power
  const [first, last] = [Math.floor(least / step), Math.ceil(greatest / step)]
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)))
}

/** @param {number} seconds the end of the axis */
function unitOfTime(seconds) {
  if (seconds < 180) return { name: 's', size: 1 }
  return seconds < 10_800 ? { name: 'min', size: 60 } : { name: 'h', size: 3600 }
}

/**
 * A frame with a scale to the left, and functions from values to places.
 * @param {SVGSVGElement} chart @param {number} height
 * @param {[number, number]} across @param {number[]} up ticks of the scale to the left
 */
function frame(chart, height, across, up) {
  // Charts grow with the letters of the page.
  const width = (chart.clientWidth || 320) / (parseFloat(getComputedStyle(document.documentElement).fontSize) / 16)
  const [low, high] = [up[0] ?? 0, up[up.length - 1] ?? 1]
  const x = (/** @type {number} */ value) =>
    LEFT + ((value - across[0]) / (across[1] - across[0] || 1)) * (width - LEFT - RIGHT)
  const y = (/** @type {number} */ value) => height - BOTTOM - ((value - low) / (high - low || 1)) * (height - TOP - BOTTOM)
  chart.setAttribute('viewBox', `0 0 ${width} ${height}`)
  chart.replaceChildren()
  for (const tick of up) {
    chart.append(
      svg('line', { class: 'grid', x1: LEFT, x2: width - RIGHT, y1: y(tick), y2: y(tick) }),
      svg('text', { class: 'tick', x: LEFT - 6, y: y(tick) + 3.5, 'text-anchor': 'end' }, String(tick)),
    )
  }
  return { x, y, right: width - RIGHT }
}

/**
 * @param {SVGSVGElement} chart @param {number} height @param {(value: number) => number} x
 * @param {number[]} values @param {(value: number) => string} label
 */
function axis(chart, height, x, values, label) {
  for (const value of values) {
    chart.append(svg('text', { class: 'tick', x: x(value), y: height - 5, 'text-anchor': 'middle' }, label(value)))
  }
}

/**
 * The score over time.
 * @param {SVGSVGElement} chart
 * @param {{ seconds: number, score: number }[]} steps
 * @param {number} until seconds
 * @param {number | null} record a line to aim at
 * @param {{ name: string, size: number }} [unit] what is counted to the right, if it is not time
 */
export function drawSteps(chart, steps, until, record, unit) {
  const height = 150
  // The first moments are steep and say little; they would press the rest together.
  const begun = steps.findLastIndex(step => step.seconds <= 0.02 * until)
  steps = steps.slice(Math.max(begun, 0))
  const scores = steps.map(step => step.score)
  const near = record !== null && scores.length > 0 ? [record] : []
  const all = [...scores, ...near]
  const [least, most] = [Math.min(...all), Math.max(...all)]
  // A line that is flat has some room around it.
  const room = least === most ? Math.max(1, Math.abs(least) / 100) : 0
  const up = all.length > 0 ? ticks(least - room, most + room, 4, all.every(Number.isInteger)) : [0, 1]
  const end = Math.max(until, 1)
  const { name, size } = unit ?? unitOfTime(end)
  const { x, y, right } = frame(chart, height, [0, end / size], up)
  const marks = ticks(0, end / size, 4).filter(value => value <= end / size)
  axis(chart, height, x, marks, value => (value === marks[marks.length - 1] ? `${value} ${name}` : String(value)))
  if (record !== null && scores.length > 0) {
    chart.append(svg('line', { class: 'record', x1: LEFT, x2: right, y1: y(record), y2: y(record) }))
  }
  const corners = steps.map(({ seconds, score }, index) => {
    const before = steps[index - 1]
    const place = `${x(seconds / size).toFixed(1)},${y(score).toFixed(1)}`
    return before ? `${x(seconds / size).toFixed(1)},${y(before.score).toFixed(1)} ${place}` : place
  })
  const last = steps[steps.length - 1]
  if (last) {
    const tip = { cx: x(end / size), cy: y(last.score) }
    chart.append(
      svg('polyline', { class: 'curve', points: `${corners.join(' ')} ${tip.cx.toFixed(1)},${tip.cy.toFixed(1)}` }),
      svg('circle', { class: 'tip', r: 3, ...tip }),
    )
  }
}

/**
 * How often which scores came.
 * @param {SVGSVGElement} chart
 * @param {[number, number][]} bars where each begins, and how many it stands for
 * @param {number | null} best a score to point out
 */
export function drawBars(chart, bars, best) {
  const height = 110
  const first = bars[0]
  if (!first) {
    chart.replaceChildren()
    return
  }
  const width = bars[1] ? bars[1][0] - first[0] : 1
  // A bar of width 1 stands over its whole number, wider ones between their edges.
  const shift = width === 1 ? 0.5 : 0
  const last = bars[bars.length - 1] ?? first
  const most = Math.max(...bars.map(bar => bar[1]))
  const total = bars.reduce((sum, bar) => sum + bar[1], 0)
  const from = first[0] - shift
  const to = Math.max(last[0] + width - shift, best === null ? -Infinity : best + width - shift)
  const { x, y } = frame(chart, height, [from, to], [0, most])
  chart.querySelectorAll('text').forEach(label => label.remove())
  for (const [begin, number] of bars) {
    const [left, right, top] = [x(begin - shift), x(begin - shift + width), y(number)]
    const bar = svg('rect', { class: 'bar', x: left + 0.4, y: top, width: Math.max(right - left - 0.8, 0.5), height: height - BOTTOM - top })
    bar.append(svg('title', {}, `${begin}: ${((100 * number) / total).toFixed(1)} %`))
    chart.append(bar)
  }
  if (best !== null) {
    const place = x(best - shift + width / 2)
    chart.append(svg('line', { class: 'record', x1: place, x2: place, y1: TOP, y2: height - BOTTOM }))
  }
  axis(chart, height, x, ticks(from, to, 5, true).filter(value => value >= from && value <= to), String)
}

/** How often which of some scores came, for `drawBars`. @param {number[]} scores @returns {[number, number][]} */
export function bars(scores) {
  const [least, greatest] = [Math.min(...scores), Math.max(...scores)]
  const isWhole = scores.every(Number.isInteger) && greatest - least < 60
  const edges = isWhole ? [] : ticks(least, greatest, 30)
  const width = isWhole ? 1 : (edges[1] ?? 1) - (edges[0] ?? 0) || 1
  const first = isWhole ? least : (edges[0] ?? least)
  const counts = new Array(Math.floor((greatest - first) / width) + 1).fill(0)
  for (const score of scores) counts[Math.floor((score - first) / width)] += 1
  return counts.map((count, index) => [first + index * width, count])
}
