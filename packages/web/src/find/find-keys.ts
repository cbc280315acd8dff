/** Keys in a terminal that open the find bar and step through its matches. */

import { openingKey } from '../links/open-link.ts'
import { openBar, openFind } from './find-state.ts'

/** Ctrl+F, or Cmd+F on macOS. A full-screen program needs Ctrl+F itself, so there it is Ctrl+Shift+F. */
export function opensFind(event: KeyboardEvent, isFullScreen: boolean): boolean {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event
  if (key.toLowerCase() !== 'f' || altKey) return false
  if (openingKey === 'Cmd') return metaKey && !ctrlKey
  return ctrlKey && !metaKey && (shiftKey || !isFullScreen)
}

/** Handles a key that was pressed in the terminal. Returns false for all others. */
export function findKeyPressed(event: KeyboardEvent, terminalId: string, isFullScreen: boolean): boolean {
  const steps = event.key === 'F3' && openBar.keys !== null && !event.ctrlKey && !event.altKey && !event.metaKey
  if (!steps && !opensFind(event, isFullScreen)) return false
  if (event.type === 'keydown') {
    event.preventDefault()
    if (steps) openBar.keys?.step(event.shiftKey ? 'previous' : 'next')
    else openFind(terminalId)
  }
  return true
}
