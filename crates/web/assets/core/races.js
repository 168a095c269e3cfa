// The button that begins a race; what a race needs is fetched at the first.

import { button } from './dom.js'
import { does } from './page.js'

/** @param {import('./race.js').Owner} owner @param {import('./events.js').Searches} searches */
export function races(owner, searches) {
  /** @type {import('./race.js').Race | undefined} */
  let race
  does(button('race'), async () => {
    race ??= new (await import('./race.js')).Race(owner, searches)
    await race.begin()
  })
}
