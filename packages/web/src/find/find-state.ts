/** Whether the find bar is open. Loaded with the page; the bar itself is not. */

import { signal } from '@preact/signals'

/** The terminal whose find bar is open; null for none. */
export const findTerminalId = signal<string | null>(null)
/** Counts the requests to focus the bar. */
export const findRequests = signal(0)

/** The actions of the open bar. */
export interface FindKeys {
  readonly step: (direction: FindDirection) => void
}

/** `next` leads to older output, as the first match is the nearest one above. */
export type FindDirection = 'next' | 'previous'

export const openBar: { keys: FindKeys | null } = { keys: null }

export function openFind(terminalId: string): void {
  findTerminalId.value = terminalId
  findRequests.value += 1
}
