// A game as code for another page: a picture that contains it, and that needs no server.

import { save, say } from './page.js'
import { words } from './words.js'

/** Puts the code of a picture into the clipboard, or into a file where that is forbidden. @param {Blob} picture SVG @param {string} about what it shows */
export async function embedded(picture, about) {
  const bytes = new Uint8Array(await picture.arrayBuffer())
  const letters = Array.from(bytes, byte => String.fromCharCode(byte)).join('')
  const code = `<img alt="${about.replace(/[&"<>]/g, ' ')}" style="max-width: 100%" src="data:image/svg+xml;base64,${btoa(letters)}">`
  await navigator.clipboard.writeText(code).then(
    () => say(words('core.code-copied')),
    () => save(new Blob([code], { type: 'text/html' }), 'game.html'))
}
