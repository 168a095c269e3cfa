// The keyboard: keys that work on the whole page.

import { button, find } from './dom.js'

/** Whether keys belong to what has the focus. @param {EventTarget | null} target */
function isTyping(target) {
  return target instanceof HTMLElement && target.matches('input:not([type=checkbox]):not([type=range]), select, textarea')
}

/**
 * Keys that work everywhere but where people type.
 * @param {Record<string, () => void>} actions by key
 * @param {{ undo: () => void, redo: () => void }} game
 */
export function pageKeys(actions, { undo, redo }) {
  addEventListener('keydown', event => {
    if (event.defaultPrevented || isTyping(event.target) || document.querySelector('dialog[open]')) return
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
    if (event.ctrlKey || event.metaKey) {
      if (key === 'z') event.shiftKey ? redo() : undo()
      else if (key === 'y') redo()
      else return
    } else if (event.altKey || !actions[key]) return
    else actions[key]?.()
    event.preventDefault()
  })
  button('keys').onclick = () => find('keys-dialog', HTMLDialogElement).showModal()
}
