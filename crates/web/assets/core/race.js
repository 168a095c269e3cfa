// A race: a person and a search begin the same game at the same moment, and both boards are seen. The search has as long as the person takes.

import * as api from './api.js'
import { button, find, part } from './dom.js'
import { does, isDark } from './page.js'
import { clock, worth } from './text.js'
import { words } from './words.js'

/**
 * The page of a race: its problem, how to begin anew, how the game of the person stands, and whether it is over.
 * @typedef {{ problem: () => string, fresh: () => void, standing: () => string, isOver: () => boolean, label?: (score: number) => string,
 *   listen: (listener: (change: { opened: boolean }) => void) => void }} Owner
 */

/** Seconds after which the search ends by itself. */
const LONGEST = 3600

/** Milliseconds between two pictures of the search's board. */
const PAUSE = 1000

export class Race {
  /** @param {Owner} owner @param {import('./events.js').Searches} searches */
  constructor(owner, searches) {
    this.owner = owner
    this.searches = searches
    /** The search that is raced. @type {api.Live | null} */
    this.run = null
    this.began = 0
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.beat = undefined
    /** The moves on the picture, and when it was made. */
    this.pictured = ''
    this.picturedAt = 0
    does(button('race-end'), () => this.end())
    owner.listen(({ opened }) => {
      if (!this.run) return
      // Another game has nothing to do with the race.
      if (opened) {
        this.end()
        return this.#close()
      }
      this.#show()
      if (owner.isOver()) this.end()
    })
  }

  async begin() {
    this.end()
    this.owner.fresh()
    const run = await api.begin({ problem: this.owner.problem(), seconds: LONGEST })
    this.run = run
    this.began = performance.now()
    this.pictured = ''
    part('race-words').textContent = words('core.race-has-begun')
    part('race-picture').hidden = true
    part('race-strip').hidden = false
    button('race-end').textContent = words('shared.end-the-race')
    this.beat = setInterval(() => this.#show(), 500)
    this.#show()
  }

  /** What the search has found so far. */
  get #found() {
    return this.run && (this.searches.going.get(this.run.id) ?? this.run)
  }

  #show() {
    const found = this.#found
    if (!found) return
    part('race-you').textContent = this.owner.standing()
    part('race-it').textContent = found.best === null ? words('shared.nothing-yet') : worth(found.best, found.meaning, this.owner.label)
    part('race-clock').textContent = clock((performance.now() - this.began) / 1000)
    void this.#picture(found).catch(() => {})
  }

  /** A picture of the search's best game, now and then. @param {api.Live} found */
  async #picture({ problem, moves }) {
    const now = performance.now()
    if (moves.length === 0 || moves.join() === this.pictured || now - this.picturedAt < PAUSE) return
    this.pictured = moves.join()
    this.picturedAt = now
    const { file } = await api.exported({ problem, moves, format: 'svg', theme: isDark() ? 'dark' : 'light' })
    const picture = find('race-picture', HTMLImageElement)
    URL.revokeObjectURL(picture.src)
    picture.src = URL.createObjectURL(file)
    picture.hidden = false
  }

  /** Ends the race: the search stops, and both results stay in sight. */
  end() {
    const { run } = this
    if (!run) return this.#close()
    this.#show()
    clearInterval(this.beat)
    const [you = '', it = '', time = ''] = ['race-you', 'race-it', 'race-clock'].map(id => part(id).textContent ?? '')
    part('race-words').textContent = words('core.race-is-over', { you, it, time })
    this.run = null
    button('race-end').textContent = words('shared.close')
    // It may end by itself meanwhile, which is as good.
    if (!this.searches.results.has(run.id)) void api.cancel(run.id).catch(() => {})
  }

  #close() {
    part('race-strip').hidden = true
  }
}
