/** The wheel and touches over a terminal, as rows to scroll. Gestures that the emulator or its program handles are left to them. */

import type { Terminal } from '@xterm/xterm'

export interface GestureParts {
  /** The emulator is covered: all gestures scroll the screen above it. */
  readonly isCovered: () => boolean
  /** A gesture upwards leads above the emulator's first row. */
  readonly mayOpen: () => boolean
  readonly scrollBy: (rows: number) => void
}

export function listenToGestures(terminal: Terminal, { isCovered, mayOpen, scrollBy }: GestureParts): void {
  const element = terminal.element?.parentElement ?? null
  if (element === null) return
  /** The part of a row that gestures have not scrolled yet. */
  let rest = 0
  const rowHeight = () => (terminal.element?.querySelector('.xterm-screen')?.clientHeight ?? 0) / terminal.rows || 16
  const move = (rows: number): boolean => {
    const isOurs = isCovered() || (rows < 0 && mayOpen() && terminal.modes.mouseTrackingMode === 'none')
    if (!isOurs) {
      rest = 0
      return false
    }
    rest += rows
    const whole = Math.trunc(rest)
    rest -= whole
    if (whole !== 0) scrollBy(whole)
    return true
  }
  const onWheel = (event: WheelEvent) => {
    if (event.ctrlKey || event.deltaY === 0) return
    const unit = event.deltaMode === 1 ? 1 : event.deltaMode === 2 ? terminal.rows : 1 / rowHeight()
    if (!move(event.deltaY * unit)) return
    event.preventDefault()
    event.stopPropagation()
  }
  element.addEventListener('wheel', onWheel, { capture: true, passive: false })
  let touchedAt: number | null = null
  element.addEventListener('touchstart', ({ touches }) => (touchedAt = touches[0]?.clientY ?? null), {
    capture: true,
    passive: true,
  })
  const onTouch = (event: TouchEvent) => {
    const at = event.touches[0]?.clientY
    if (at === undefined || touchedAt === null || event.touches.length > 1) return
    const isOurs = move((touchedAt - at) / rowHeight())
    touchedAt = at
    if (!isOurs) return
    event.preventDefault()
    event.stopPropagation()
  }
  element.addEventListener('touchmove', onTouch, { capture: true, passive: false })
}
