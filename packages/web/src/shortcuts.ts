/** Single-key shortcuts of the page. They are inactive while a person types: in a terminal, in a field or in a dialog. */

import { targetOf } from './parts/rail.tsx'
import { replayKey } from './replay/replay-keys.ts'
import { openTerminal } from './rooms/agents.tsx'
import { cardKey } from './rooms/needs.tsx'
import { readScreen } from './rooms/read-screen.tsx'
import { isAppearanceOpen } from './store/appearance.ts'
import { isKeyHelpOpen, isPaletteOpen } from './store/palette.ts'
import { go, route } from './store/route.ts'
import { focused, mayChange, rows } from './store/store.ts'

export function listenToShortcuts(): void {
  document.addEventListener('keydown', (event) => {
    const { key, ctrlKey, altKey, metaKey, target } = event
    if (target instanceof Element && opensPalette(event, target)) {
      event.preventDefault()
      isPaletteOpen.value = true
      return
    }
    if (ctrlKey || altKey || metaKey || !(target instanceof Element) || isTyping(target)) return
    if (actOn(key, target)) event.preventDefault()
  })
}

/** Ctrl+K and Ctrl+Shift+P, with Cmd on macOS, outside of terminals and dialogs. */
function opensPalette({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent, target: Element): boolean {
  if (altKey || !(ctrlKey || metaKey) || target.closest('dialog, .screen') !== null) return false
  return shiftKey ? key.toLowerCase() === 'p' : key === 'k'
}

const isTyping = (target: Element): boolean =>
  target.closest('input:not([type="checkbox"]), textarea, select, dialog, .screen, [contenteditable]') !== null

function actOn(key: string, target: Element): boolean {
  // The keys of a card come first, because they answer it.
  if (route.value.room === 'needs' && cardKey(key)) return true
  // A focused button is pressed by its own key.
  if (!(key === ' ' && target.closest('button, a, input') !== null) && replayKey(key)) return true
  switch (key) {
    case 'n':
      if (mayChange.value) go({ room: 'needs' })
      return true
    case 't':
      go({ room: 'agents' })
      return true
    case 'w':
      go({ room: 'wall', terminalId: null })
      return true
    case 'v':
      go({ room: 'recordings', recordingId: null })
      return true
    case 'd':
      if (mayChange.value) go({ room: 'devices' })
      return true
    case 'r':
      return toReplay(target)
    case 'c':
      if (mayChange.value) void openTerminal()
      return true
    case 's': {
      const { value } = focused
      if (value !== null) readScreen(value.terminalId)
      return value !== null
    }
    case '?':
      isKeyHelpOpen.value = true
      return true
    case ',':
      isAppearanceOpen.value = true
      return true
    case '/':
      document.querySelector<HTMLInputElement>('.filter')?.focus()
      return true
    case 'j':
    case 'k':
    case 'ArrowDown':
    case 'ArrowUp':
      return move(target, key === 'j' || key === 'ArrowDown' ? 1 : -1)
    case 'Enter': {
      const to = target === document.body ? targetOf('terminal') : null
      if (to !== null) go(to)
      return to !== null
    }
    default:
      return false
  }
}

/** Toggles between the live terminal and its replay, for the terminal shown or the row that has the focus. */
function toReplay(target: Element): boolean {
  const at = route.value
  const terminalId = target.closest<HTMLElement>('[data-terminal]')?.dataset['terminal']
  if (at.room === 'terminal') go({ room: 'replay', terminalId: at.terminalId })
  else if (at.room === 'replay') go({ room: 'terminal', terminalId: at.terminalId })
  else if (at.room === 'recordings' && isOpen(at.recordingId)) go({ room: 'terminal', terminalId: at.recordingId })
  else if (terminalId !== undefined) go({ room: 'replay', terminalId })
  else return false
  return true
}

const isOpen = (id: string | null): id is string => rows.value?.some(({ terminalId }) => terminalId === id) === true

/** Moves the focus to the next or previous row. */
function move(target: Element, by: number): boolean {
  const links = [
    ...document.querySelectorAll<HTMLElement>(
      '.rows a, .device button, .beside a, .cards article, .tiles a, .items button',
    ),
  ]
  if (links.length === 0) return false
  const at = links.indexOf(target as HTMLElement)
  const to = at < 0 ? (by > 0 ? 0 : links.length - 1) : Math.min(links.length - 1, Math.max(0, at + by))
  links[to]?.focus()
  return true
}
