// Morpion Solitaire for those who have never seen it: a first line that draws itself, and the rules in pictures.

import { isCalm, svg } from '../core/dom.js'
import { Lesson, showsRules } from '../core/lesson.js'
import { words } from '../core/words.js'

/** Milliseconds before the page draws its line. */
const PAUSE = 900

/**
 * @param {import('./game.js').Game} game
 * @param {() => void} redraw
 */
export function teach(game, redraw) {
  showsRules(rules)
  const lesson = new Lesson('morpion')
  let began = false

  /** Begins, if the board is as it is at first. */
  const begin = () => {
    if (!lesson.isOn || began) return
    if (game.moves.length > 0) return lesson.end()
    began = true
    lesson.say(words('morpion.lesson'))
    setTimeout(first, isCalm() ? 0 : PAUSE)
  }
  const first = () => {
    const [move] = game.legal
    if (!lesson.isOn || game.at > 0 || !move) return
    game.play(move)
    lesson.say(words('morpion.lesson-2'))
    redraw()
  }
  game.listen(({ forward, opened }) => {
    if (!lesson.isOn || !began) return
    if (game.at === 2 && forward) return lesson.say(words('morpion.lesson-3'))
    if (!opened && (!forward || game.at < 2)) return
    lesson.end()
    redraw()
  })
  return { get isOn() { return lesson.isOn && began }, begin }
}

/**
 * A picture of dots and lines.
 * @param {[number, number][]} dots @param {[number, number, number, number, string?][]} lines from, to, and a class
 * @param {[number, number][]} fresh new dots
 */
function picture(dots, lines, fresh) {
  const [step, margin] = [24, 18]
  const place = (/** @type {number} */ at) => margin + at * step
  const columns = Math.max(...dots.map(([x]) => x), ...fresh.map(([x]) => x))
  const rows = Math.max(...dots.map(([, y]) => y), ...fresh.map(([, y]) => y))
  return svg('svg', { class: 'rule', viewBox: `0 0 ${2 * margin + columns * step} ${2 * margin + rows * step}`, width: 2 * margin + columns * step },
    ...lines.map(([x1, y1, x2, y2, name]) => svg('line', { class: name ?? null, x1: place(x1), y1: place(y1), x2: place(x2), y2: place(y2) })),
    ...dots.map(([x, y]) => svg('circle', { cx: place(x), cy: place(y), r: 5 })),
    ...fresh.map(([x, y]) => svg('circle', { class: 'fresh', cx: place(x), cy: place(y), r: 6 })))
}

/** @param {number} from @param {number} count @param {number} y @returns {[number, number][]} */
const across = (from, count, y) => Array.from({ length: count }, (_, index) => [from + index, y])

const rules = () => [
  { picture: picture(across(0, 4, 0), [[0, 0, 4, 0]], [[4, 0]]), text: words('morpion.rule-move') },
  { picture: picture([...across(0, 4, 0), [4, 1], [4, 2], [4, 3], [4, 4]], [[0, 0, 4, 0], [4, 0, 4, 4]], [[4, 0]]), text: words('morpion.rule-cross') },
  { picture: picture(across(0, 9, 0), [[0, 0, 4, 0], [4, 0, 8, 0, 'other']], []), text: words('morpion.rule-5t') },
  { picture: picture(across(0, 10, 0), [[0, 0, 4, 0], [5, 0, 9, 0, 'other']], []), text: words('morpion.rule-5d') },
  { picture: picture(across(0, 3, 0), [[0, 0, 3, 0]], [[3, 0]]), text: words('morpion.rule-4') },
]
