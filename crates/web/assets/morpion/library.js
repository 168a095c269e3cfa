// Games that come and go: records, files, links.

import * as api from '../core/api.js'
import { button, find, html, input, part, select } from '../core/dom.js'
import { complain, does, save, say } from '../core/page.js'
import { ago } from '../core/text.js'
import { known } from './controls.js'
import { read, write } from './notation.js'
import { variantOf } from './rules.js'

/** @typedef {import('./game.js').Game} Game */

/** How many of the games found here are listed. */
const FOUND = 5

/** What a format is for. @type {Record<string, string>} */
const ABOUT = {
  pentasol: 'Pentasol, the text of morpionsolitaire.com',
  msr: 'Morpion Solitaire Record, as JSON',
  ms1: 'Morpion Solitaire Record, compact',
  text: 'Text, one move a line',
  json: 'JSON, with everything known of it',
  svg: 'A picture for any size, with the game inside',
  png: 'A picture, with the game inside',
}

/**
 * @param {Game} game
 * @param {import('./controls.js').Player} player
 */
export function library(game, player) {
  /**
   * @param {{ problem: string, moves: string[], title: string, provenance: api.Provenance }} opened
   * @param {boolean} replays
   */
  function show({ problem, moves, title, provenance }, replays) {
    const variant = variantOf(problem)
    if (!variant) throw new Error(`this is a game of ${problem}; this page shows Morpion Solitaire`)
    player.stop()
    dispatchEvent(new CustomEvent('show-mine'))
    const at = replays ? 0 : moves.length
    game.open(variant, moves.map(text => read(variant, text)), { at, title, provenance })
    if (replays) player.start()
  }

  /** @param {Blob} file @param {string} name */
  async function open(file, name) {
    try {
      const opened = await api.open(file, game.variant.problem)
      show({ ...opened, title: opened.title ?? name }, false)
      say([`${name}: ${opened.format}, ${opened.score} moves`, ...(opened.notes ?? [])].join('. '))
    } catch (error) {
      complain(error instanceof Error ? new Error(`${name}: ${error.message}`) : error)
    }
  }

  async function listRecords() {
    const list = part('records-list')
    const { problem } = game.variant
    const records = await api.records(problem)
    let own = 0
    list.replaceChildren(
      ...records.filter(record => !record.own || own++ < FOUND).map(record => {
        const date = record.own && record.date ? ago(record.date) : record.date
        const who = [record.author ?? record.search, date].filter(Boolean).join(' · ')
        const click = () => {
          find('records-dialog', HTMLDialogElement).close()
          const { author, search, seed, date, source } = record
          const provenance = Object.fromEntries(
            Object.entries({ author, search, seed, date, source }).filter(([, value]) => value !== null),
          )
          show({ problem, moves: record.moves, title: record.own ? 'Found here' : record.title, provenance }, true)
        }
        return html('li', {},
          html('button', { type: 'button', class: 'card', click },
            html('strong', {}, String(record.score)),
            html('span', {}, record.own ? 'Found here' : record.title),
            html('small', {}, who)))
      }),
    )
    find('records-dialog', HTMLDialogElement).showModal()
  }

  async function listFormats() {
    const { formats } = await known(game.variant.problem)
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
    const { variant, provenance } = game
    const moves = game.played.map(move => write(variant, move))
    const animated = format === 'svg' && input('save-animated').checked
    const { file, name } = await api.exported({
      problem: variant.problem, moves, format, provenance, theme: select('save-theme').value, animated,
    })
    save(file, name)
  }

  async function link() {
    const address = new URL(`#${game.pack()}`, location.href)
    await navigator.clipboard.writeText(address.href).then(
      () => say('The link is in the clipboard. It carries the whole game.'),
      () => {
        history.replaceState(null, '', address.hash)
        say('The address of this page now carries the whole game.')
      },
    )
  }

  does(button('records'), listRecords)
  does(button('save'), listFormats)
  does(button('link'), link)
  does(button('open'), () => input('file').click())
  does(button('fresh'), () => (player.stop(), game.open(game.variant, [])))
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
    if (event.target instanceof HTMLInputElement) return
    const file = event.clipboardData?.files[0]
    const text = event.clipboardData?.getData('text/plain') ?? ''
    if (file) void open(file, file.name)
    else if (text.trim()) void open(new Blob([text]), 'the clipboard')
  })
}
