// Buttons in rows and columns: one of them can be reached by Tab, the others by arrow keys.

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }

/**
 * @param {HTMLElement} grid
 * @param {HTMLElement[]} cells row by row
 * @param {number} columns
 * @param {(cell: HTMLElement) => boolean} [isStop] which of them arrows stop at
 */
export function roving(grid, cells, columns, isStop = () => true) {
  const reach = (/** @type {HTMLElement | undefined} */ cell) => {
    for (const other of cells) other.tabIndex = other === cell ? 0 : -1
  }
  reach(cells.find(isStop) ?? cells[0])
  grid.addEventListener('focusin', event => {
    const cell = cells.find(cell => cell === event.target)
    if (cell) reach(cell)
  })
  grid.addEventListener('keydown', event => {
    const arrow = ARROWS[event.key]
    const from = cells.findIndex(cell => cell === document.activeElement)
    if (!arrow || from < 0 || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    const rows = Math.ceil(cells.length / columns)
    let [column, row] = [from % columns, Math.floor(from / columns)]
    for (;;) {
      column += arrow[0]
      row += arrow[1]
      if (column < 0 || column >= columns || row < 0 || row >= rows) return
      const cell = cells[row * columns + column]
      if (cell && isStop(cell)) return cell.focus()
    }
  })
  return reach
}
