// All runs as one file, and the runs of such a file, where they are kept in the browser.

import * as api from '../core/api.js'
import { button, input, part } from '../core/dom.js'
import { does, save, say } from '../core/page.js'
import { words } from '../core/words.js'

/** @param {() => Promise<void>} changed called when there are more runs */
export function offerPacks(changed) {
  part('packs').hidden = false
  does(button('pack'), async () => {
    const { file, name } = await api.packed()
    save(file, name)
  })
  does(button('unpack'), () => input('unpack-file').click())
  input('unpack-file').onchange = async () => {
    const file = input('unpack-file').files?.[0]
    input('unpack-file').value = ''
    if (file) await open(file, changed).catch(error => say(`${file.name}: ${error.message}`, 'error'))
  }
}

/** @param {File} file @param {() => Promise<void>} changed */
async function open(file, changed) {
  const { runs, games, refused } = await api.unpack(await file.text())
  const read = `${file.name}: ${words('runs.runs-added', { n: runs })}, ${words('runs.games-read', { n: games })}`
  say([read, ...refused].join('. '), refused.length > 0 ? 'error' : 'note')
  await changed()
}
