// What every page has: the theme, messages, dialogs.

import { button, find, html, part } from './dom.js'
import { choices } from './prefer.js'
import { words } from './words.js'

const THEMES = ['auto', 'light', 'dark']

/** @type {Record<string, Parameters<typeof words>[0]>} */
const NAMES = { light: 'shared.light', dark: 'shared.dark' }

/** Lets a person choose between the system's theme, light and dark. */
export function themes() {
  const toggle = button('theme')
  const show = (/** @type {string} */ theme) => {
    document.documentElement.dataset.theme = theme
    toggle.title = toggle.ariaLabel = words('core.theme', { theme: words(NAMES[theme] ?? 'core.auto') })
  }
  let theme = choices.get('theme', 'auto')
  show(theme)
  toggle.onclick = () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'auto'
    choices.set('theme', theme)
    show(theme)
    dispatchEvent(new Event('theme'))
  }
}

/** Whether the page is dark now. */
export const isDark = () => {
  const { theme } = document.documentElement.dataset
  return theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let fading

/**
 * A line at the foot of the page, for a while, and what can be done about it.
 * @param {string} text
 * @param {'note' | 'error'} [kind]
 * @param {{ name: string, action: () => unknown }} [offer]
 */
export function say(text, kind = 'note', offer) {
  const note = part('note')
  note.className = kind
  note.replaceChildren(text)
  if (offer) {
    const click = () => {
      note.hidden = true
      void offer.action()
    }
    note.append(' ', html('button', { type: 'button', class: 'link', click }, offer.name))
  }
  note.hidden = false
  clearTimeout(fading)
  fading = setTimeout(() => (note.hidden = true), kind === 'error' || offer ? 9000 : 4000)
}

/** Shows what went wrong. @param {unknown} error */
export const complain = error => say(error instanceof Error ? error.message : String(error), 'error')

/** Tells people who do not see the page. @param {string} text */
export const announce = text => part('spoken').replaceChildren(text)

/**
 * Does what an element is for, not twice at the same time, and says what went wrong.
 * @param {HTMLElement} element
 * @param {() => Promise<unknown> | unknown} action
 */
async function once(element, action) {
  if (element.ariaBusy === 'true') return
  element.ariaBusy = 'true'
  try {
    await action()
  } catch (error) {
    complain(error)
  } finally {
    element.ariaBusy = null
  }
}

/**
 * A button that waits for what it does, and says what went wrong.
 * @param {HTMLButtonElement} element
 * @param {() => Promise<unknown> | unknown} action
 */
export function does(element, action) {
  element.addEventListener('click', () => void once(element, action))
}

/**
 * The same for a form; the page stays.
 * @param {string} id
 * @param {(event: SubmitEvent) => Promise<unknown> | unknown} action
 */
export function submits(id, action) {
  const form = find(id, HTMLFormElement)
  form.addEventListener('submit', event => {
    event.preventDefault()
    void once(form, () => action(event))
  })
}

/** Whether what stands beside things in a wide window stands below them. */
export const isNarrow = () => matchMedia('(max-width: 820px)').matches

/** A file for the person to keep. @param {Blob} file @param {string} name */
export function save(file, name) {
  const address = URL.createObjectURL(file)
  html('a', { href: address, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** Dialogs close by their buttons, and by a click beside them. */
export function dialogs() {
  for (const dialog of document.querySelectorAll('dialog')) {
    dialog.addEventListener('click', event => {
      const closes = event.target instanceof Element && event.target.closest('[data-close]')
      if (event.target === dialog || closes) dialog.close()
    })
  }
}
