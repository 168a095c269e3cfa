// Games that come and go: records, files, links.

import * as api from './api.js'
import { button, figure, find, html, input, part, select } from './dom.js'
import { known } from './known.js'
import { complain, does, save, say } from './page.js'
import { ago, brief } from './text.js'

/**
 * A game from elsewhere.
 * @typedef {{ problem: string, moves: string[], title: string, provenance: api.Provenance }} Shown
 *
 * What a page lets come and go. `show` throws where the page cannot show a game; `worth` says what a game that was opened is worth;
 * `takes` takes a text that is no game but a puzzle.
 * @typedef {{ problem: () => string, moves: () => string[], provenance: () => api.Provenance, pack: () => string,
 *   fresh: () => void, show: (game: Shown, replays: boolean) => unknown, worth: (opened: api.Opened) => string,
 *   takes?: (text: string) => Promise<boolean> }} Owner
 */

/** How many of the games found here are listed. */
const FOUND = 5

/** What a format is for. @type {Record<string, string>} */
const ABOUT = {
  pentasol: 'Pentasol, the text format of morpionsolitaire.com',
  msr: 'Morpion Solitaire Record, as JSON',
  ms1: 'Morpion Solitaire Record, compact',
  text: 'Text, one move per line',
  json: 'JSON, with everything known about the game',
  svg: 'A picture for any size; contains the game',
  png: 'A picture; contains the game',
}

/** @param {Owner} owner */
export function library(owner) {
  /** @param {Blob} file @param {string} name */
  async function open(file, name) {
    try {
      const text = owner.takes ? await file.text() : ''
      if (await owner.takes?.(text)) return
      const opened = await api.open(file, owner.problem())
      await owner.show({ ...opened, title: opened.title ?? name }, false)
      say([`${name}: ${opened.format}, ${owner.worth(opened)}`, ...(opened.notes ?? [])].join('. '))
    } catch (error) {
      complain(error instanceof Error ? new Error(`${name}: ${error.message}`) : error)
    }
  }

  async function listRecords() {
    const list = part('records-list')
    const problem = owner.problem()
    const records = await api.records(problem)
    let own = 0
    list.replaceChildren(
      ...records.filter(record => !record.own || own++ < FOUND).map(record => {
        const date = record.own && record.date ? ago(record.date) : record.date
        const who = [record.author ?? record.search, date].filter(Boolean).join(' · ')
        const click = async () => {
          find('records-dialog', HTMLDialogElement).close()
          const { author, search, seed, date, source } = record
          const provenance = Object.fromEntries(
            Object.entries({ author, search, seed, date, source }).filter(([, value]) => value !== null),
          )
          await Promise.resolve(owner.show({ problem, moves: record.moves, title: record.own ? 'Found here' : record.title, provenance }, true)).catch(complain)
        }
        return html('li', {},
          html('button', { type: 'button', class: 'card', click },
            figure(html('strong'), record.score, record.meaning, brief),
            html('span', {}, record.own ? 'Found here' : record.title),
            html('small', {}, who)))
      }),
    )
    find('records-dialog', HTMLDialogElement).showModal()
  }

  async function listFormats() {
    const { formats } = await known(owner.problem())
    part('save-list').replaceChildren(
      ...formats.map(({ name, extension }) => {
        const card = html('button', { type: 'button', class: 'card', 'data-format': name },
          html('strong', {}, `.${extension}`), html('span', {}, ABOUT[name] ?? name))
        does(card, () => keep(name))
        return html('li', {}, card)
      }),
    )
    find('save-dialog', HTMLDialogElement).showModal()
  }

  /** @param {string} format */
  async function keep(format) {
    const hasPictures = document.getElementById('save-theme') !== null
    const pictures = hasPictures ? { theme: select('save-theme').value } : {}
    const animated = format === 'svg' && document.getElementById('save-animated') !== null && input('save-animated').checked
    const { file, name } = await api.exported({
      problem: owner.problem(), moves: owner.moves(), format, provenance: owner.provenance(), ...pictures, animated,
    })
    save(file, name)
  }

  async function link() {
    const address = new URL(`#${owner.pack()}`, location.href)
    await navigator.clipboard.writeText(address.href).then(
      () => say('The link is in the clipboard. It contains the whole game.'),
      () => {
        history.replaceState(null, '', address.hash)
        say('The address of this page now contains the whole game.')
      },
    )
  }

  if (document.getElementById('records')) does(button('records'), listRecords)
  does(button('save'), listFormats)
  does(button('link'), link)
  does(button('open'), () => input('file').click())
  does(button('fresh'), owner.fresh)
  input('file').onchange = async () => {
    const file = input('file').files?.[0]
    if (file) await open(file, file.name)
    input('file').value = ''
  }
  drops(open)
}

/** Files and texts that are dropped or pasted. @param {(file: Blob, name: string) => Promise<void>} open */
function drops(open) {
  const curtain = part('drop')
  let depth = 0
  const carries = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes('Files') ?? false
  addEventListener('dragenter', event => {
    if (carries(event)) curtain.hidden = ++depth === 0
  })
  addEventListener('dragleave', event => {
    if (carries(event)) curtain.hidden = --depth <= 0
  })
  addEventListener('dragover', event => event.preventDefault())
  addEventListener('drop', event => {
    event.preventDefault()
    depth = 0
    curtain.hidden = true
    const file = event.dataTransfer?.files[0]
    if (file) void open(file, file.name)
  })
  addEventListener('paste', event => {
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return
    const file = event.clipboardData?.files[0]
    const text = event.clipboardData?.getData('text/plain') ?? ''
    if (file) void open(file, file.name)
    else if (text.trim()) void open(new Blob([text]), 'the clipboard')
  })
}
