// A game whose moves are texts: all of them, and how far into them the board is.

/**
 * `forward`: one move further; `opened`: another game.
 * @typedef {{ forward: boolean, opened: boolean }} Change
 * @typedef {{ at?: number, title?: string, provenance?: Record<string, unknown>, strokes?: string[] }} About
 */

/** After how many moves a stroke was made. @param {string} stroke */
const placed = stroke => Number(stroke.split(' ')[0])

export class Game {
  constructor() {
    this.problem = ''
    /** All moves, those that were taken back included. @type {string[]} */
    this.moves = []
    /** How many of them are on the board. */
    this.at = 0
    this.title = ''
    /** @type {Record<string, unknown>} */
    this.provenance = {}
    /** Marks that were made or taken away, and after how many moves: `3 r1c2=5 r1c3=5`. @type {string[]} */
    this.strokes = []
    /** Strokes that were taken back. @type {string[]} */
    this.unmade = []
    /** @type {((change: Change) => void)[]} */
    this.listeners = []
  }

  /** @param {(change: Change) => void} listener */
  listen(listener) {
    this.listeners.push(listener)
  }

  get played() {
    return this.moves.slice(0, this.at)
  }

  /** @param {Partial<Change>} [change] */
  changed(change = {}) {
    for (const listener of this.listeners) listener({ forward: false, opened: false, ...change })
  }

  /** The marks on the board now. @returns {Set<string>} */
  get marks() {
    /** @type {Set<string>} */
    const marks = new Set()
    for (const stroke of this.strokes.filter(stroke => placed(stroke) <= this.at)) {
      for (const mark of stroke.split(' ').slice(1)) if (!marks.delete(mark)) marks.add(mark)
    }
    return marks
  }

  /** Makes marks that are not there, and takes away those that are, in one stroke. @param {string[]} marks without spaces */
  mark(marks) {
    if (marks.length === 0) return
    this.strokes = [...this.strokes, [this.at, ...marks].join(' ')]
    this.unmade = []
    this.changed()
  }

  /** The last stroke on this board, and the last one that was taken back on it. */
  get #lastStroke() {
    return this.strokes.findLast(stroke => placed(stroke) === this.at)
  }

  get #lastUnmade() {
    return this.unmade.findLast(stroke => placed(stroke) === this.at)
  }

  get canUndo() {
    return this.at > 0 || this.#lastStroke !== undefined
  }

  get canRedo() {
    return this.at < this.moves.length || this.#lastUnmade !== undefined
  }

  /** Takes back the last stroke or move. */
  undo() {
    const stroke = this.#lastStroke
    if (stroke === undefined) return this.go(this.at - 1)
    this.strokes = this.strokes.toSpliced(this.strokes.lastIndexOf(stroke), 1)
    this.unmade = [...this.unmade, stroke]
    this.changed()
  }

  /** Does again what was taken back. */
  redo() {
    const stroke = this.#lastUnmade
    if (stroke === undefined) return this.go(this.at + 1)
    this.unmade = this.unmade.toSpliced(this.unmade.lastIndexOf(stroke), 1)
    this.strokes = [...this.strokes, stroke]
    this.changed()
  }

  /** Plays a legal move. What had been taken back is forgotten, unless it is the same move again. @param {string} move */
  play(move) {
    if (this.moves[this.at] !== move) this.#goOn([move])
    this.at += 1
    this.changed({ forward: true })
  }

  /** New moves for the end of what is on the board, to be played one by one, and where they come from. @param {string[]} moves @param {Record<string, unknown>} provenance */
  extend(moves, provenance) {
    this.#goOn(moves)
    this.provenance = provenance
    this.changed()
  }

  /** Other moves instead of those on the board. @param {string[]} moves */
  replace(moves) {
    this.at = 0
    this.#goOn(moves)
    this.at = moves.length
    this.changed()
  }

  /** A game that is continued loses its name and origin. @param {string[]} moves */
  #goOn(moves) {
    this.moves = [...this.played, ...moves]
    this.title = ''
    this.provenance = {}
    this.unmade = []
    // Marks stay, also those of moves that are gone.
    const last = this.moves.length
    this.strokes = this.strokes.map(stroke => (placed(stroke) > last ? stroke.replace(/^\d+/, String(last)) : stroke))
  }

  /** Puts so many moves on the board. @param {number} count */
  go(count) {
    const at = Math.max(0, Math.min(count, this.moves.length))
    if (at === this.at) return
    const forward = at === this.at + 1
    this.at = at
    this.changed({ forward })
  }

  /** @param {string} problem @param {string[]} moves legal ones @param {About} [about] */
  open(problem, moves, { at = moves.length, title = '', provenance = {}, strokes = [] } = {}) {
    Object.assign(this, { problem, moves, at, title, provenance, strokes, unmade: [] })
    this.changed({ opened: true })
  }
}
