/** Drags of the mouse over a screen, as borders between its cells. Beyond its upper and lower edge, a drag scrolls. */

export interface DragHandlers {
  /** `col`: the border between cells that is nearest to the mouse. */
  readonly begun: (row: number, col: number) => void
  /** Called while the mouse moves, and for a click with Shift. */
  readonly extended: (row: number, col: number) => void
  readonly scrollBy: (rows: number) => void
  readonly ended: () => void
}

export interface DraggedScreen {
  /** In cells. */
  readonly size: () => { readonly rows: number; readonly cols: number }
  /** The element that the cells fill. */
  readonly cells: () => HTMLElement | null
}

/** Rows of each frame for each row of distance from the edge. */
const scrollShare = 0.25

export function listenToDrags(element: HTMLElement, screen: DraggedScreen, handlers: DragHandlers): void {
  const { begun, extended, scrollBy, ended } = handlers
  const placeOf = ({ clientX, clientY }: MouseEvent) => {
    const { rows, cols } = screen.size()
    const box = screen.cells()?.getBoundingClientRect()
    if (box === undefined || box.width === 0) return { row: 0, col: 0 }
    const col = Math.round(((clientX - box.left) / box.width) * cols)
    return { row: ((clientY - box.top) / box.height) * rows, col: Math.max(0, Math.min(cols, col)) }
  }
  const extend = ({ row, col }: { readonly row: number; readonly col: number }) => {
    extended(Math.max(0, Math.min(screen.size().rows - 1, Math.floor(row))), col)
  }
  const pressed = (event: MouseEvent) => {
    // Double clicks select words, as in the emulator.
    if (event.button !== 0 || event.detail > 1) return
    event.preventDefault()
    event.stopPropagation()
    let at = placeOf(event)
    if (event.shiftKey) extend(at)
    else begun(Math.floor(at.row), at.col)
    const over = new AbortController()
    const scroll = () => {
      if (over.signal.aborted) return
      const beyond = at.row < 0 ? at.row : Math.max(0, at.row - screen.size().rows)
      if (beyond !== 0) {
        scrollBy(Math.sign(beyond) * Math.ceil(Math.abs(beyond) * scrollShare))
        extend(at)
      }
      requestAnimationFrame(scroll)
    }
    const moved = (move: MouseEvent) => {
      at = placeOf(move)
      extend(at)
    }
    const released = () => {
      over.abort()
      ended()
    }
    document.addEventListener('mousemove', moved, { signal: over.signal })
    document.addEventListener('mouseup', released, { signal: over.signal })
    requestAnimationFrame(scroll)
  }
  element.addEventListener('mousedown', pressed, { capture: true })
}
