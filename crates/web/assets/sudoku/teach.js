// Sudoku and Kakuro for those who have never seen them.

import { Lesson, showsRules } from '../core/lesson.js'
import { words } from '../core/words.js'

/** @param {import('../core/game.js').Game} game */
export function teach(game) {
  // The pictures are fetched for those who look at them.
  showsRules(async () => (await import('./pictures.js')).rules())
  const lesson = new Lesson('sudoku')
  game.listen(({ forward }) => {
    if (forward && game.at > 0) return lesson.end()
    if (game.problem.startsWith('sudoku')) lesson.say(words('sudoku.lesson'))
    else lesson.say(words('sudoku.lesson-kakuro'))
  })
}
