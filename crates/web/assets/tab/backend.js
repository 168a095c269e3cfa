// Who answers the pages where there is no server: workers in this browser. `nestling site` puts this module in the place of core/backend.js.

import { say } from '../core/page.js'
import { words } from '../core/words.js'
import { answered } from './desk.js'
import * as searches from './searches.js'

/** @type {typeof import('../core/backend.js').answer} */
export const answer = answered

/** @type {typeof import('../core/backend.js').listen} */
export const listen = searches.listen

/** Says that a search is slower while nobody sees its page. */
function tellOfSlowness() {
  const title = document.title
  let wasSlow = false
  addEventListener('visibilitychange', () => {
    const isSlow = document.hidden && searches.isBusy()
    if (isSlow) document.title = words('core.slower-while-hidden', { title })
    else if (wasSlow) {
      document.title = title
      say(words('core.went-on-slowly'))
    }
    wasSlow = isSlow
  })
}

tellOfSlowness()
searches.adopt().catch(() => {})
// What was loaded once is there without a network, too.
navigator.serviceWorker?.register(new URL('../service.js', import.meta.url)).catch(() => {})
