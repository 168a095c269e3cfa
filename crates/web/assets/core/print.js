// A sheet to print, or to save as PDF: everything else on the page is left out.

import { html } from './dom.js'

/** @param {string} title @param {string[]} lines what is known @param {...(Node | string)} contents */
export async function printSheet(title, lines, ...contents) {
  document.getElementById('sheet')?.remove()
  const sheet = html('article', { id: 'sheet' }, html('h1', {}, title), ...lines.filter(Boolean).map(line => html('p', {}, line)), ...contents)
  document.body.append(sheet)
  // A picture that has not been read yet would be missing on paper.
  const read = (/** @type {HTMLImageElement} */ image) => image.complete || new Promise(done => (image.onload = image.onerror = done))
  await Promise.all([...sheet.querySelectorAll('img')].map(read))
  document.body.classList.add('printing')
  addEventListener('afterprint', () => {
    document.body.classList.remove('printing')
    for (const image of sheet.querySelectorAll('img')) URL.revokeObjectURL(image.src)
    sheet.remove()
  }, { once: true })
  print()
}
