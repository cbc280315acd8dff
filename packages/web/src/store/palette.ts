/** The command palette: which of its entries match what a person types. Beside it, the list of keys. */

import { signal } from '@preact/signals'

/** True while the list of keys is open. */
export const isKeyHelpOpen = signal(false)
/** True while the palette is open. */
export const isPaletteOpen = signal(false)

export interface PaletteEntry {
  readonly id: string
  readonly label: string
  /** Shown beside the label, and searched, too. */
  readonly detail: string
  /** The key that does the same; empty without one. */
  readonly shortcut: string
  readonly run: () => void
}

/** More entries than a person reads; typing narrows them. */
const shownMax = 50

/** Returns the entries that contain each typed word, those first whose label begins with them. */
export function matchingEntries(entries: readonly PaletteEntry[], typed: string): readonly PaletteEntry[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const ranked = entries.flatMap((entry) => {
    const ranks = words.map((word) => rankOf(entry, word))
    return ranks.includes(Number.POSITIVE_INFINITY) ? [] : [{ entry, rank: ranks.reduce((sum, one) => sum + one, 0) }]
  })
  return ranked
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, shownMax)
    .map(({ entry }) => entry)
}

/** Smaller is better; infinite if the entry does not contain the word. */
function rankOf({ label, detail }: PaletteEntry, word: string): number {
  const at = label.toLowerCase().indexOf(word)
  if (at === 0) return 0
  if (at > 0) return /[^\p{L}\p{N}]/u.test(label[at - 1] ?? '') ? 1 : 2
  return detail.toLowerCase().includes(word) ? 3 : Number.POSITIVE_INFINITY
}
