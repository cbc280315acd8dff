/** The split views of this device, which the browser stores. A terminal is in at most one of them. */

import { computed, signal } from '@preact/signals'
import { go, route } from '../store/route.ts'
import { rows } from '../store/store.ts'
import {
  type Arrangement,
  arranged,
  type Layout,
  parseLayout,
  putBeside,
  putInto,
  type Side,
  slotsMax,
  terminalsOf,
  without,
  withShare,
} from './layout.ts'

/** True while the dialog that chooses a further terminal is open. */
export const isSplitting = signal(false)

const storageKey = 'split-views'
const viewsMax = 16

const stored = signal<readonly Layout[]>(readViews())

/** Without the terminals that were closed. */
const views = computed(() => {
  const open = rows.value === null ? null : new Set(rows.value.map(({ terminalId }) => terminalId))
  return stored.value.flatMap((view) => {
    const closed = terminalsOf(view).filter((terminalId) => open?.has(terminalId) === false)
    const left = closed.reduce<Layout | null>((layout, id) => (layout === null ? null : without(layout, id)), view)
    return left !== null && terminalsOf(left).length > 1 ? [left] : []
  })
})

/** Returns the split view of a terminal, or the terminal alone. */
export function layoutOf(terminalId: string): Layout {
  return views.value.find((view) => terminalsOf(view).includes(terminalId)) ?? { terminalId }
}

export const isSplit = (terminalId: string): boolean => terminalsOf(layoutOf(terminalId)).length > 1

/** True for two terminals of one split view, and for a terminal and itself. */
export const isInSameView = (one: string, other: string): boolean => terminalsOf(layoutOf(one)).includes(other)

/** True if another terminal can be put beside this one. */
export const hasRoom = (terminalId: string): boolean => terminalsOf(layoutOf(terminalId)).length < slotsMax

/** Puts a terminal beside the one at `at`, and gives it the focus. It leaves the view that it was in. */
export function splitWith(at: string, side: Side, terminalId: string): void {
  const layout = layoutOf(at)
  if (!terminalsOf(layout).includes(terminalId) && !hasRoom(at)) return
  replaceView(layout, putBeside(layout, at, side, terminalId))
  focusSlot(terminalId)
}

/** Shows a terminal in the slot of the one at `at`, and gives it the focus. */
export function showInSlot(at: string, terminalId: string): void {
  const layout = layoutOf(at)
  replaceView(layout, putInto(layout, at, terminalId))
  focusSlot(terminalId)
}

/** Takes a terminal out of its split view. If it had the focus, its neighbour gets it. */
export function leaveSplit(terminalId: string): void {
  const layout = layoutOf(terminalId)
  const ids = terminalsOf(layout)
  const at = ids.indexOf(terminalId)
  const neighbour = ids[at + 1] ?? ids[at - 1]
  const { value: to } = route
  if (neighbour !== undefined && to.room === 'terminal' && to.terminalId === terminalId) focusSlot(neighbour)
  replaceView(layout, without(layout, terminalId))
}

export function arrangeView(terminalId: string, arrangement: Arrangement): void {
  const layout = layoutOf(terminalId)
  replaceView(layout, arranged(terminalsOf(layout), arrangement))
}

export function moveDivider(terminalId: string, path: string, share: number): void {
  const layout = layoutOf(terminalId)
  replaceView(layout, withShare(layout, path, share))
}

/** Gives the focus to a slot. The browser's back button leads out of the split view, not through its slots. */
export function focusSlot(terminalId: string): void {
  go({ room: 'terminal', terminalId }, { replaces: route.value.room === 'terminal' })
}

/** Gives the focus to the next or previous slot in reading order. */
export function focusNeighbour(terminalId: string, by: 1 | -1): void {
  const ids = terminalsOf(layoutOf(terminalId))
  const next = ids[(ids.indexOf(terminalId) + by + ids.length) % ids.length]
  if (next !== undefined) focusSlot(next)
}

function replaceView(before: Layout, after: Layout | null): void {
  const moved = new Set(after === null ? [] : terminalsOf(after))
  const others = views.value
    .filter((view) => view !== before)
    .map((view) =>
      terminalsOf(view).reduce<Layout | null>(
        (left, id) => (left !== null && moved.has(id) ? without(left, id) : left),
        view,
      ),
    )
    .filter((view) => view !== null && terminalsOf(view).length > 1)
  const isView = after !== null && terminalsOf(after).length > 1
  stored.value = [...(isView ? [after] : []), ...others].filter((view) => view !== null).slice(0, viewsMax)
  try {
    localStorage.setItem(storageKey, JSON.stringify(stored.peek()))
  } catch {
    // The browser stores nothing: the views last for the lifetime of the page.
  }
}

function readViews(): readonly Layout[] {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]')
    return (Array.isArray(read) ? read.slice(0, viewsMax) : []).flatMap((one) => parseLayout(one) ?? [])
  } catch {
    // Stored by another version, or by a browser without storage.
    return []
  }
}
