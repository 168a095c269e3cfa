// Tours with time windows for those who have never seen them.

import { svg } from '../core/dom.js'
import { Lesson, showsRules } from '../core/lesson.js'
import { words } from '../core/words.js'

/** @param {import('../core/game.js').Game} game */
export function teach(game) {
  showsRules(rules)
  const lesson = new Lesson('tours')
  game.listen(({ forward }) => {
    if (forward && game.at > 1) return lesson.end()
    if (game.at === 0) lesson.say(words('tours.lesson'))
    else lesson.say(words('tours.lesson-2'))
  })
}

/** A small map. @param {[number, number][]} way @param {[number, number, string][]} places */
const picture = (way, places) =>
  svg('svg', { class: 'rule', viewBox: '0 0 160 80', width: 160 },
    svg('polyline', { class: 'way', points: way.map(point => point.join(',')).join(' ') }),
    svg('rect', { class: 'start', x: 10, y: 50, width: 16, height: 16, rx: 3 }),
    ...places.flatMap(([x, y, text]) => [svg('circle', { cx: x, cy: y, r: 7 }), svg('text', { x: x + 10, y: y + 4, 'font-size': 12 }, text)]))

const rules = () => [
  { picture: picture([[18, 58], [60, 20], [120, 50], [18, 58]], [[60, 20, ''], [120, 50, '']]), text: words('tours.rule-way') },
  { picture: picture([[18, 58], [60, 20]], [[60, 20, words('tours.ten-to-thirty')]]), text: words('tours.rule-window') },
  { picture: picture([], [[60, 20, words('tours.too-late')]]), text: words('tours.rule-late') },
]
