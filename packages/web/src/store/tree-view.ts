/** The person's view of the terminal tree: filter, folds and pins. The browser stores the pins. */

import { kindsOf, shownOf, type Tone } from '@agentpty/protocol/overview'
import { computed, signal } from '@preact/signals'
import { tree } from './store.ts'

/** The storage key for the ids of pinned terminals, and their maximum number. */
const pinnedKey = 'pinned'
const pinnedMax = 100

/** The states that a person can filter by. */
export const tones: readonly (readonly [Tone, string])[] = [
  ['asks', 'needs you'],
  ['working', 'working'],
  ['idle', 'waiting'],
  ['failed', 'failed'],
  ['ended', 'ended'],
]

export const filterText = signal('')
export const filterTone = signal<Tone | null>(null)
export const filterKind = signal<string | null>(null)
const collapsed = signal<ReadonlySet<string>>(new Set())
export const pinned = signal<ReadonlySet<string>>(new Set(readPinned()))

export const isFiltered = computed(
  () => filterText.value.trim() !== '' || filterTone.value !== null || filterKind.value !== null,
)
export const shownRows = computed(() =>
  shownOf(tree.value, {
    text: filterText.value,
    tone: filterTone.value,
    kind: filterKind.value,
    collapsed: collapsed.value,
  }),
)
/** Pinned terminals, shown first whatever the filter is. */
export const pinnedRows = computed(() =>
  pinned.value.size === 0 ? [] : tree.value.filter(({ id }) => pinned.value.has(id)),
)
export const filterKinds = computed(() => [...new Set(tree.value.flatMap((entry) => kindsOf(entry)))].toSorted())

export const isCollapsed = (terminalId: string): boolean => collapsed.value.has(terminalId)

export function fold(terminalId: string, isFolded: boolean): void {
  collapsed.value = changed(collapsed.value, terminalId, isFolded)
}

export function togglePin(terminalId: string): void {
  pinned.value = changed(pinned.value, terminalId, !pinned.value.has(terminalId))
  try {
    localStorage.setItem(pinnedKey, JSON.stringify([...pinned.value].slice(-pinnedMax)))
  } catch {
    // The browser stores nothing: the pin lasts for the lifetime of the page.
  }
}

export function clearFilter(): void {
  filterText.value = ''
  filterTone.value = null
  filterKind.value = null
}

function changed(set: ReadonlySet<string>, id: string, isIn: boolean): ReadonlySet<string> {
  const next = new Set(set)
  if (isIn) next.add(id)
  else next.delete(id)
  return next
}

function readPinned(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(pinnedKey) ?? '[]')
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string').slice(0, pinnedMax) : []
  } catch {
    // Stored by another version, or by a browser without storage.
    return []
  }
}
