// SameGame for those who have never seen it.

import { svg } from '../core/dom.js'
import { Lesson, showsRules } from '../core/lesson.js'
import { words } from '../core/words.js'

/** @param {import('../core/game.js').Game} game */
export function teach(game) {
  showsRules(rules)
  const lesson = new Lesson('samegame')
  game.listen(({ forward }) => {
    if (forward && game.at > 1) return lesson.end()
    if (game.at === 0) lesson.say(words('samegame.lesson'))
    else lesson.say(words('samegame.lesson-2'))
  })
}

/** A small board: a digit for each cell, a blank for none. @param {string[]} rows */
function picture(rows) {
  const cells = rows.flatMap((row, y) => [...row].flatMap((colour, x) =>
    colour === ' ' ? [] : [svg('g', { class: `cell colour-${colour}` }, svg('rect', { x: x * 24 + 1, y: y * 24 + 1, width: 22, height: 22, rx: 4 }))]))
  return svg('svg', { viewBox: `0 0 ${(rows[0]?.length ?? 1) * 24} ${rows.length * 24}`, width: (rows[0]?.length ?? 1) * 24 }, ...cells)
}

const rules = () => [
  { picture: picture(['0110', '0112', '2002']), text: words('samegame.rule-groups') },
  { picture: picture(['0  0', '0  2', '2002']), text: words('samegame.rule-fall') },
  { picture: picture(['00 ', '02 ', '22 ']), text: words('samegame.rule-columns') },
  { picture: picture(['0000']), text: words('samegame.rule-points') },
]
