// The searches of the menus, and the expression that each stands for.

/**
 * @typedef {{ name: string, about: string, level: string, levels: string[], usual: string,
 *   expression: (level: string) => string }} Algorithm
 */

/** @type {Record<string, Algorithm>} */
export const ALGORITHMS = {
  nrpa: {
    name: 'Policy adaptation (NRPA)',
    about: 'Learns from its best game which lines to prefer.',
    level: 'Level',
    levels: ['1', '2', '3', '4', '5'],
    usual: '3',
    expression: level => `repeat(nrpa(${level}))`,
  },
  nested: {
    name: 'Nested Monte-Carlo',
    about: 'Tries every move with a search of the level below, and takes the best.',
    level: 'Level',
    levels: ['1', '2', '3', '4'],
    usual: '2',
    expression: level => `repeat(nested(${level}))`,
  },
  reflexive: {
    name: 'Reflexive Monte-Carlo',
    about: 'Plays many games before each move of a game, and many such games before each move of a higher one.',
    level: 'Games',
    levels: ['100', '1000', '100, 10', '100, 1000'],
    usual: '100',
    expression: level => `repeat(reflexive(${level}))`,
  },
  uct: {
    name: 'Tree search (UCT)',
    about: 'Grows a tree where games have gone well.',
    level: 'Simulations',
    levels: ['1000', '10000', '100000', '1000000'],
    usual: '10000',
    expression: level => `repeat(uct(${level}))`,
  },
  beam: {
    name: 'Beam search',
    about: 'Keeps the most promising positions after each move.',
    level: 'Width',
    levels: ['10', '100', '1000'],
    usual: '100',
    expression: level => `repeat(beam(${level}))`,
  },
  playout: {
    name: 'Random games',
    about: 'Plays to the end, again and again.',
    level: 'Moves are',
    levels: ['uniform', 'mobility'],
    usual: 'uniform',
    expression: level => (level === 'uniform' ? 'repeat(playout)' : `repeat(playout(${level}))`),
  },
}

/** The menu's choice that an expression is; nothing if it is somebody's own. @param {string} expression */
export function chosenBy(expression) {
  for (const [key, { levels, expression: text }] of Object.entries(ALGORITHMS)) {
    const level = levels.find(level => text(level) === expression)
    if (level !== undefined) return { key, level }
  }
  return null
}

/** What is repeated without an end, whose cost is the one that says something. @param {string} expression */
export const round = expression => expression.match(/^repeat\((?!\s*\d)(.*)\)$/)?.[1] ?? expression
