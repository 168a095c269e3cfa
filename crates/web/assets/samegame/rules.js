// The rules of SameGame, so that groups are seen at once. The server has the last word.

/** The points for an empty board. */
const CLEARED = 1000

/** A cell that has a colour, and a number of its own. @typedef {{ colour: number, id: number }} Cell */
/** @typedef {{ column: number, row: number }} Place column and row from 0, from the lower left */

/** `3,1` @param {Place} place */
export const write = ({ column, row }) => `${column + 1},${row + 1}`

/** @param {string} text @returns {Place} */
export function read(text) {
  const [column = 0, row = 0] = text.split(',').map(Number)
  return { column: column - 1, row: row - 1 }
}

/** The points for a group. @param {number} cells */
export const pointsOf = cells => Math.max(0, cells - 2) ** 2

export class Position {
  /** @param {number[][]} columns the colours of each column, from below @param {string[]} moves legal ones */
  constructor(columns, moves) {
    let id = 0
    /** @type {Cell[][]} */
    this.columns = columns.map(column => column.map(colour => ({ colour, id: id++ })))
    this.score = 0
    /** By the numbers of cells, which move took them. @type {Map<number, number>} */
    this.taken = new Map()
    moves.forEach((move, index) => {
      for (const id of this.remove(read(move))) this.taken.set(id, index + 1)
    })
  }

  /** @param {Place} place */
  at({ column, row }) {
    return this.columns[column]?.[row] ?? null
  }

  /** The cells that hang together with this one, the first as the server counts first. @param {Place} place @returns {Place[]} */
  group(place) {
    const colour = this.at(place)?.colour
    if (colour === undefined) return []
    const [seen, group] = [new Set([write(place)]), [place]]
    for (const { column, row } of group) {
      for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
        const beside = { column: column + (dx ?? 0), row: row + (dy ?? 0) }
        if (this.at(beside)?.colour !== colour || seen.has(write(beside))) continue
        seen.add(write(beside))
        group.push(beside)
      }
    }
    return group.sort((one, other) => one.column - other.column || one.row - other.row)
  }

  /** Takes a group away; the numbers of its cells. @param {Place} place */
  remove(place) {
    const group = this.group(place)
    const numbers = group.flatMap(place => this.at(place)?.id ?? [])
    this.score += pointsOf(group.length)
    for (const { column, row } of group.toReversed()) this.columns[column]?.splice(row, 1)
    this.columns = this.columns.filter(column => column.length > 0)
    if (this.columns.length === 0) this.score += CLEARED
    return numbers
  }

  /** The groups that can be taken, by their first cells. @returns {Place[][]} */
  get groups() {
    const seen = new Set()
    const groups = []
    for (const [column, cells] of this.columns.entries()) {
      for (const row of cells.keys()) {
        if (seen.has(write({ column, row }))) continue
        const group = this.group({ column, row })
        for (const place of group) seen.add(write(place))
        if (group.length > 1) groups.push(group)
      }
    }
    return groups
  }
}
