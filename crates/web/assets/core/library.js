// Games that come and go: records, files, links.

import * as api from './api.js'
import { button, figure, find, html, input, isCalm, part, select } from './dom.js'
import { known } from './known.js'
import { complain, does, save, say } from './page.js'
import { ago, brief, shortName } from './text.js'
import { words } from './words.js'

/**
 * A game from elsewhere.
 * @typedef {{ problem: string, moves: string[], title: string, provenance: api.Provenance }} Shown
 *
 * What a page lets come and go. `show` throws where the page cannot show a game, and replays it if it is to; `worth` says what a game that was opened is worth;
 * `takes` takes a text that is no game but a puzzle.
 * @typedef {{ problem: () => string, moves: () => string[], provenance: () => api.Provenance, pack: () => string,
 *   fresh: () => void, show: (game: Shown, replays: boolean) => unknown, worth: (opened: api.Opened) => string,
 *   takes?: (text: string) => Promise<boolean> }} Owner
 */

/** How many of the games found here are listed. */
const FOUND = 5

/** What a format is for. @type {Record<string, Parameters<typeof words>[0]>} */
const ABOUT = {
  pentasol: 'core.pentasol', msr: 'core.msr', ms1: 'core.ms1', text: 'core.text',
  json: 'core.json', svg: 'core.svg', png: 'core.png', gif: 'core.gif',
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
          await Promise.resolve(owner.show({ problem, moves: record.moves, title: record.own ? words('core.found-here') : record.title, provenance }, !isCalm())).catch(complain)
        }
        return html('li', {},
          html('button', { type: 'button', class: 'card', click },
            figure(html('strong'), record.score, record.meaning, brief),
            html('span', {}, record.own ? words('core.found-here') : record.title),
            html('small', {}, who)))
      }),
    )
    find('records-dialog', HTMLDialogElement).showModal()
  }

  async function listFormats() {
    const { formats } = await known(owner.problem())
    part('save-list').replaceChildren(
      ...formats.map(({ name, extension }) => {
        const about = ABOUT[name]
        const card = html('button', { type: 'button', class: 'card', 'data-format': name },
          html('strong', {}, `.${extension}`), html('span', {}, about ? words(about) : name))
        does(card, () => keep(name))
        return html('li', {}, card)
      }),
    )
    if (formats.some(({ name }) => name === 'svg')) {
      const card = html('button', { type: 'button', class: 'card', 'data-format': 'html' },
        html('strong', {}, 'HTML'), html('span', {}, words('core.code')))
      does(card, embed)
      part('save-list').append(html('li', {}, card))
    }
    find('save-dialog', HTMLDialogElement).showModal()
  }

  /** The game as a file of a format. @param {string} format */
  function written(format) {
    const hasPictures = document.getElementById('save-theme') !== null
    const pictures = hasPictures ? { theme: select('save-theme').value } : {}
    const animated = format === 'svg' && document.getElementById('save-animated') !== null && input('save-animated').checked
    return api.exported({ problem: owner.problem(), moves: owner.moves(), format, provenance: owner.provenance(), ...pictures, animated })
  }

  /** @param {string} format */
  async function keep(format) {
    const { file, name } = await written(format)
    save(file, name)
  }

  /** The picture as code for another page. */
  async function embed() {
    const { embedded } = await import('./embed.js')
    await embedded((await written('svg')).file, `${shortName(owner.problem())}, ${words('core.moves', { n: owner.moves().length })}`)
  }

  async function link() {
    const address = new URL(`#${owner.pack()}`, location.href)
    await navigator.clipboard.writeText(address.href).then(
      () => say(words('core.link-copied')),
      () => {
        history.replaceState(null, '', address.hash)
        say(words('core.link-in-address'))
      },
    )
  }

  /** The game as a sheet: its picture and its moves. */
  async function onPaper() {
    const [problem, moves, provenance] = [owner.problem(), owner.moves(), owner.provenance()]
    const { formats } = await known(problem)
    /** @type {Node[]} */
    const contents = []
    if (formats.some(({ name }) => name === 'svg')) {
      const { file } = await api.exported({ problem, moves, format: 'svg', theme: 'print' })
      contents.push(html('img', { src: URL.createObjectURL(file), alt: '' }))
    }
    contents.push(html('ol', {}, ...moves.map(move => html('li', {}, move))))
    const whence = ['author', 'search', 'seed', 'date', 'source'].flatMap(name => (provenance[name] ? [`${name} ${provenance[name]}`] : [])).join(', ')
    const { printSheet } = await import('./print.js')
    await printSheet(document.getElementById('title')?.textContent || document.title.split(' · ')[0] || '', [shortName(problem), words('core.moves', { n: moves.length }), whence], ...contents)
  }

  does(button('print'), onPaper)
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
    else if (text.trim()) void open(new Blob([text]), words('core.the-clipboard'))
  })
}
