/** The events of a terminal, shown next to its recording. */

import type { TimelineItem } from '@agentpty/protocol/timeline'
import type { VerbOutput } from '@agentpty/protocol/verbs'
import type { WireClient } from '@agentpty/protocol/wire'
import { computed, signal } from '@preact/signals'

/** An item that only a recording reports, such as missing output. */
export interface NoteItem {
  readonly kind: 'note'
  readonly at: number
  readonly text: string
}

export type ShownItem = TimelineItem | NoteItem

/** The kinds that are filtered together. */
export const groups = [
  { name: 'Commands', kinds: ['command'] },
  { name: 'Typed', kinds: ['typed', 'lease'] },
  { name: 'Questions', kinds: ['question'] },
  { name: 'Approvals', kinds: ['approval'] },
  { name: 'Other', kinds: ['task', 'size', 'exit', 'note'] },
] as const satisfies readonly { readonly name: string; readonly kinds: readonly ShownItem['kind'][] }[]
export type GroupName = (typeof groups)[number]['name']

const pageItems = 200
const itemsMax = 5_000

/** Items in chronological order; a person may hide some kinds. */
export class ShownTimeline {
  readonly items = signal<readonly ShownItem[]>([])
  /** The start of the program; null until it is known. */
  readonly startedAt = signal<number | null>(null)
  readonly missing = signal<VerbOutput<'timeline'>['missing']>(undefined)
  readonly isLoading = signal(false)
  readonly hidden = signal<ReadonlySet<GroupName>>(new Set())
  readonly shown = computed(() => {
    const kinds = new Set<ShownItem['kind']>(
      groups.flatMap(({ name, kinds }) => (this.hidden.value.has(name) ? [] : kinds)),
    )
    return this.items.value.filter(({ kind }) => kinds.has(kind))
  })
  readonly next = signal<string | undefined>(undefined)
  readonly hasOlder = computed(() => this.next.value !== undefined && this.items.value.length < itemsMax)

  toggle(name: GroupName): void {
    const hidden = new Set(this.hidden.value)
    if (!hidden.delete(name)) hidden.add(name)
    this.hidden.value = hidden
  }
}

/** The timeline of a live terminal. It loads the newest items first and older ones on request. */
export class Timeline extends ShownTimeline {
  /** Loads the newest items, or those before the loaded ones. Errors: those of the verb. */
  async load(client: Pick<WireClient, 'call'>, terminalId: string, signal: AbortSignal): Promise<void> {
    if (this.isLoading.value) return
    this.isLoading.value = true
    try {
      // A response may be empty, because it covers only a part of the journal.
      for (let found = 0; found === 0; ) {
        const before = this.next.value
        const input = { terminalId, limit: pageItems, ...(before === undefined ? {} : { before }) }
        const page = await client.call('timeline', input, { signal })
        this.items.value = [...page.items, ...this.items.value]
        this.startedAt.value = page.startedAt
        this.missing.value = page.missing
        this.next.value = page.next
        if (page.next === undefined) return
        found = page.items.length
      }
    } finally {
      this.isLoading.value = false
    }
  }
}
