// Quarto for those who have never seen it: what to do at the first two moves, and the rules in pictures.

import { html, svg } from '../core/dom.js'
import { Lesson, showsRules } from '../core/lesson.js'
import { words } from '../core/words.js'
import { drawn } from './pieces.js'

/** @param {import('./game.js').Game} game */
export function teach(game) {
  showsRules(rules)
  const lesson = new Lesson('quarto')
  let done = 0
  game.listen(({ forward, opened }) => {
    if (!lesson.isOn) return
    if (opened && game.moves.length > 1) return lesson.end()
    if (forward && !game.isPersons) done += 1
    if (!game.isPersons) return
    if (game.position.hand !== null) {
      if (done > 1) return lesson.end()
      lesson.say(words('quarto.lesson-place'))
    } else lesson.say(done === 0 && game.at > 0 ? words('quarto.lesson-give') : words('quarto.lesson-choose'))
  })
  return lesson
}

/** Pieces in a row. @param {number[]} pieces */
const rowOf = pieces => html('span', { class: 'piece-row' }, ...pieces.map(drawn))

/** A board with a line across it. @param {[number, number][]} line */
function boardOf(line) {
  const cells = Array.from({ length: 16 }, (_, index) => svg('rect', { x: (index % 4) * 24 + 2, y: (index >> 2) * 24 + 2, width: 20, height: 20, rx: 4 }))
  return svg('svg', { class: 'rule board-rule', viewBox: '0 0 96 96', width: 96 }, ...cells,
    svg('polyline', { points: line.map(([x, y]) => `${x * 24 + 12},${y * 24 + 12}`).join(' ') }))
}

const rules = () => [
  { picture: rowOf([15, 0]), text: words('quarto.rule-pieces') },
  { picture: rowOf([13]), text: words('quarto.rule-give') },
  { picture: rowOf([4, 7, 13, 14]), text: words('quarto.rule-win') },
  { picture: boardOf([[0, 1], [3, 1]]), text: words('quarto.rule-lines') },
  { picture: boardOf([[1, 1], [2, 1], [2, 2], [1, 2], [1, 1]]), text: words('quarto.rule-squares') },
]
