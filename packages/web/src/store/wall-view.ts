/** How a person wants to see the wall. The browser stores it. */

import { signal } from '@preact/signals'

export interface WallView {
  /** Tiles show whole screens, however small; otherwise the last rows in letters that can be read. */
  readonly isWhole: boolean
  /** Tiles are grouped by the agents that opened their terminals. */
  readonly isGrouped: boolean
}

const storageKey = 'wall'

export const wallView = signal<WallView>(readWallView())

export function changeWallView(change: Partial<WallView>): void {
  wallView.value = { ...wallView.peek(), ...change }
  try {
    localStorage.setItem(storageKey, JSON.stringify(wallView.peek()))
  } catch {
    // The browser stores nothing: the choice lasts for the lifetime of the page.
  }
}

function readWallView(): WallView {
  try {
    const stored = JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Partial<
      Record<keyof WallView, unknown>
    > | null
    return { isWhole: stored?.isWhole === true, isGrouped: stored?.isGrouped === true }
  } catch {
    // Stored by another version, or by a browser without storage.
    return { isWhole: false, isGrouped: false }
  }
}
