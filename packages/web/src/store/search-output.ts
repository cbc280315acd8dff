/** Searches what terminals have printed, a few of them at a time, and never more than is said. */

import type { Row } from '@agentpty/protocol/overview'
import type { WireClient } from '@agentpty/protocol/wire'
import { signal } from '@preact/signals'

export interface Found {
  readonly terminalId: string
  /** How many lines have it, at most 200. */
  readonly matches: number
  /** The last of them. */
  readonly lines: readonly string[]
}

export interface Search {
  readonly text: string
  readonly found: readonly Found[]
  /** How many terminals were searched, of how many. */
  readonly done: number
  readonly of: number
  /** There are more terminals than one search looks through. */
  readonly isPartial: boolean
}

const terminalsMax = 50
const atOnceMax = 4
const linesMax = 3
const answerBytesMax = 4_096

/** The newest search; null while there is none. */
export const search = signal<Search | null>(null)

/** Shows what is found as it comes. Goes on until the signal aborts. Errors: those of `read`. */
export async function searchOutput(
  client: WireClient,
  { text, rows }: { readonly text: string; readonly rows: readonly Row[] },
  over: AbortSignal,
): Promise<void> {
  // Those that have printed last are most likely meant.
  const newest = rows.toSorted((one, other) => (other.lastOutputAt ?? 0) - (one.lastOutputAt ?? 0))
  const waiting = newest.slice(0, terminalsMax)
  const isPartial = rows.length > waiting.length
  search.value = { text, found: [], done: 0, of: waiting.length, isPartial }
  const find = text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
  const searchOn = async () => {
    for (let row = waiting.shift(); row !== undefined && !over.aborted; row = waiting.shift()) {
      const { terminalId } = row
      const input = { terminalId, find, maxBytes: answerBytesMax } as const
      const { output, matches = 0 } = await client.call('read', input, { signal: over })
      const before = search.peek()
      if (over.aborted || before === null) return
      // Each line begins with its offset.
      const lines = output.split('\n').map((line) => line.replace(/^\d+: /, ''))
      const found = matches === 0 ? [] : [{ terminalId, matches, lines: lines.slice(-linesMax) }]
      search.value = { ...before, found: [...before.found, ...found], done: before.done + 1 }
    }
  }
  await Promise.all(Array.from({ length: atOnceMax }, searchOn))
}
