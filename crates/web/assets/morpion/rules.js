// The rules of Morpion Solitaire, on a lattice without end. The server has the last word on every game; these make the page answer
// at once. The tests compare the two.
//
// The box around the starting cross has its top-left corner at (0,0); x grows to the right and y downwards.

/**
 * @typedef {{ name: string, problem: string, length: number, touching: boolean }} Variant
 * @typedef {{ x: number, y: number }} Cell
 * @typedef {{ x: number, y: number, direction: number, hole: number }} Move where its line starts, where it goes, and which of its
 *   cells gets the new dot
 */

/** @type {Record<string, Variant>} */
export const VARIANTS = Object.fromEntries(
  ['5T', '5D', '4T', '4D'].map(name => [
    name,
    { name, problem: `morpion-${name.toLowerCase()}`, length: Number(name[0]), touching: name[1] === 'T' },
  ]),
)

/** @param {string} problem @returns {Variant | undefined} */
export const variantOf = problem => Object.values(VARIANTS).find(variant => variant.problem === problem)

/** The steps of the directions - | \ / */
export const STEPS = /** @type {const} */ ([[1, 0], [0, 1], [1, 1], [1, -1]])

/** The sign people write for each direction. */
export const SIGNS = ['-', '|', '\\', '/']

const CROSSES = {
  5: ['...####...', '...#..#...', '...#..#...', '####..####', '#........#', '#........#', '####..####', '...#..#...', '...#..#...', '...####...'],
  4: ['..###..', '..#.#..', '###.###', '#.....#', '###.###', '..#.#..', '..###..'],
}

/** The dots at the start. @param {Variant} variant @returns {Cell[]} */
export function cross(variant) {
  const rows = CROSSES[variant.length === 5 ? 5 : 4]
  return rows.flatMap((row, y) => [...row].flatMap((mark, x) => (mark === '#' ? [{ x, y }] : [])))
}

/** A number of its own for every cell that a game can reach. @param {number} x @param {number} y */
export const key = (x, y) => (x + 4096) * 8192 + (y + 4096)

/** The cell of a line, so many steps from its start. @param {Move} move @param {number} steps @returns {Cell} */
export function along({ x, y, direction }, steps) {
  const [dx, dy] = STEPS[/** @type {0 | 1 | 2 | 3} */ (direction)]
  return { x: x + dx * steps, y: y + dy * steps }
}

/** The cell of the new dot. @param {Move} move */
export const dot = move => along(move, move.hole)

/** @param {Move} one @param {Move} other */
export const same = (one, other) =>
  one.x === other.x && one.y === other.y && one.direction === other.direction && one.hole === other.hole

/** A position: the dots, and what of each direction is drawn. */
export class Position {
  /** @param {Variant} variant @param {Move[]} [moves] legal ones */
  constructor(variant, moves = []) {
    this.variant = variant
    this.dots = new Set(cross(variant).map(({ x, y }) => key(x, y)))
    /** Lines that may touch share no segment, those that may not share no dot. By direction. @type {Set<number>[]} */
    this.drawn = STEPS.map(() => new Set())
    for (const move of moves) this.play(move)
  }

  /** The cells by which a line excludes others of its direction. @param {Move} move */
  #taken(move) {
    const count = this.variant.touching ? this.variant.length - 1 : this.variant.length
    return Array.from({ length: count }, (_, steps) => {
      const { x, y } = along(move, steps)
      return key(x, y)
    })
  }

  /** @param {Move} move */
  isLegal(move) {
    for (let steps = 0; steps < this.variant.length; steps++) {
      const { x, y } = along(move, steps)
      if (this.dots.has(key(x, y)) === (steps === move.hole)) return false
    }
    return this.#taken(move).every(cell => !this.drawn[move.direction]?.has(cell))
  }

  /** @param {Move} move a legal one */
  play(move) {
    const { x, y } = dot(move)
    this.dots.add(key(x, y))
    for (const cell of this.#taken(move)) this.drawn[move.direction]?.add(cell)
  }

  /** Every legal move, row by row. @returns {Move[]} */
  legal() {
    /** @type {Map<string, Move>} */
    const found = new Map()
    for (const cell of this.dots) {
      const [x, y] = [Math.floor(cell / 8192) - 4096, (cell % 8192) - 4096]
      STEPS.forEach(([dx, dy], direction) => {
        for (let back = 0; back < this.variant.length; back++) {
          const line = { x: x - dx * back, y: y - dy * back, direction, hole: -1 }
          const name = `${line.x},${line.y},${direction}`
          if (found.has(name)) continue
          const hole = this.#onlyHole(line)
          const move = { ...line, hole }
          if (hole >= 0 && this.isLegal(move)) found.set(name, move)
        }
      })
    }
    const place = (/** @type {Move} */ move) => dot(move).y * 8192 + dot(move).x
    return [...found.values()].sort((one, other) => place(one) - place(other) || one.direction - other.direction)
  }

  /** The legal moves that a new dot makes possible: those of lines through it. @param {Cell} cell @returns {Move[]} */
  through({ x, y }) {
    return STEPS.flatMap(([dx, dy], direction) =>
      Array.from({ length: this.variant.length }, (_, back) => {
        const line = { x: x - dx * back, y: y - dy * back, direction, hole: -1 }
        return { ...line, hole: this.#onlyHole(line) }
      }).filter(move => move.hole >= 0 && this.isLegal(move)))
  }

  /** The only cell of a line without a dot; -1 if there is none or there are several. @param {Move} line */
  #onlyHole(line) {
    let hole = -1
    for (let steps = 0; steps < this.variant.length; steps++) {
      const { x, y } = along(line, steps)
      if (this.dots.has(key(x, y))) continue
      if (hole >= 0) return -1
      hole = steps
    }
    return hole
  }
}

/**
 * Replays a game; the number of moves that are legal.
 * @param {Variant} variant @param {Move[]} moves
 */
export function legalUntil(variant, moves) {
  const position = new Position(variant)
  for (const [index, move] of moves.entries()) {
    if (!position.isLegal(move)) return index
    position.play(move)
  }
  return moves.length
}

/**
 * What a move does to the other lines that can be drawn: those that it makes possible, those that it makes impossible, and all that are left.
 * @param {Variant} variant @param {Move[]} moves @param {Move} move a legal one
 */
export function effect(variant, moves, move) {
  const before = new Position(variant, moves).legal()
  const left = new Position(variant, [...moves, move]).legal()
  const isIn = (/** @type {Move[]} */ list) => (/** @type {Move} */ one) => list.some(other => same(one, other))
  return {
    opens: left.filter(one => !isIn(before)(one)),
    closes: before.filter(one => !same(one, move) && !isIn(left)(one)),
    left,
  }
}
