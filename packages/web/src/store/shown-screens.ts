/** The terminals that are drawn just now. A split view draws several; one of them has the focus. */

import type { Stop } from '@agentpty/protocol'
import type { ViewSize } from '@agentpty/terminal-view'
import { computed, signal } from '@preact/signals'
import type { LiveTerminal } from '../terminal/live-terminal.ts'
import { shownTerminalId } from './route.ts'

export interface ShownScreen {
  /** The emulator that draws it; null while there is none. */
  readonly live: LiveTerminal | null
  /** The element that it fills; null for a screen that is shown as text. */
  readonly element: HTMLElement | null
  /** Null until it is known. */
  readonly size: ViewSize | null
  readonly title: string
}

const unknownScreen: ShownScreen = { live: null, element: null, size: null, title: '' }

const screens = signal<ReadonlyMap<string, ShownScreen>>(new Map())

/** The screen of the terminal that the view is about. */
export const viewed = computed(() => screens.value.get(shownTerminalId.value ?? '') ?? unknownScreen)
/** Its emulator; null while there is none. */
export const view = computed(() => viewed.value.live)

/** Calls on each change of the screen of a terminal, and at once. */
export function watchScreen(terminalId: string, changed: (screen: ShownScreen) => void): Stop {
  return screens.subscribe((all) => changed(all.get(terminalId) ?? unknownScreen))
}

/** Returns the screen of a terminal as it is drawn now. */
export function screenOf(terminalId: string): ShownScreen {
  return screens.peek().get(terminalId) ?? unknownScreen
}

export function changeScreen(terminalId: string, change: Partial<ShownScreen>): void {
  screens.value = new Map(screens.peek()).set(terminalId, { ...screenOf(terminalId), ...change })
}

export function forgetScreen(terminalId: string): void {
  const left = new Map(screens.peek())
  left.delete(terminalId)
  screens.value = left
}
