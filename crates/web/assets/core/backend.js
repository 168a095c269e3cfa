// Who answers the pages: the server that they come from. `nestling site` puts tab/backend.js in the place of this module: then the browser
// answers by itself. No page knows which of the two it talks to.

import { words } from './words.js'

/**
 * The answer to a request of the app's API. Only the browser's own reasons to give up are thrown.
 * @param {string} path
 * @param {RequestInit} [request]
 * @returns {Promise<Response>}
 */
export async function answer(path, request) {
  try {
    return await fetch(path, request)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new Error(words('core.no-answer'))
  }
}

/**
 * Calls a function with the news of all searches, the complete state first, and with the loss and return of the connection. Returns what ends it.
 * @param {(news: import('./events.js').News) => void} hear
 * @returns {() => void}
 */
export function listen(hear) {
  /** @type {EventSource | undefined} */
  let source
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting
  const open = () => {
    const stream = new EventSource('/api/events')
    source = stream
    stream.onmessage = message => hear(JSON.parse(message.data))
    stream.onopen = () => hear({ event: 'connection', isHere: true })
    stream.onerror = () => {
      hear({ event: 'connection', isHere: false })
      // The browser tries again by itself, unless the server has refused.
      if (stream.readyState === EventSource.CLOSED) waiting = setTimeout(open, 3000)
    }
  }
  open()
  return () => {
    clearTimeout(waiting)
    source?.close()
  }
}
