/** Searches the output of terminals, a few at a time, up to a fixed number. */

import type { Row } from '@agentpty/protocol/overview'
import type { WireClient } from '@agentpty/protocol/wire'
import { signal } from '@preact/signals'

export interface FoundLine {
  readonly text: string
  /** In the output of its terminal. */
  readonly offset: number
}

export interface SearchMatch {
  readonly terminalId: string
  /** The number of matching lines, at most 200. */
  readonly matches: number
  /** The last matching lines. */
  readonly lines: readonly FoundLine[]
}

export interface Search {
  readonly text: string
  readonly found: readonly SearchMatch[]
  /** The number of terminals searched so far, and the total. */
  readonly done: number
  readonly of: number
  /** True if there are more terminals than one search covers. */
  readonly isPartial: boolean
}

const terminalsMax = 50
const concurrentMax = 4
const linesMax = 3
const answerBytesMax = 4_096

/** The newest search; null while there is none. */
export const search = signal<Search | null>(null)

/** Publishes results as they arrive. Runs until the signal aborts. Errors: those of `read`. */
export async function searchOutput(
  client: WireClient,
  { text, rows }: { readonly text: string; readonly rows: readonly Row[] },
  over: AbortSignal,
): Promise<void> {
  // The terminals with the newest output are the most likely matches.
  const newest = rows.toSorted((one, other) => (other.lastOutputAt ?? 0) - (one.lastOutputAt ?? 0))
  const waiting = newest.slice(0, terminalsMax)
  const isPartial = rows.length > waiting.length
  search.value = { text, found: [], done: 0, of: waiting.length, isPartial }
  const find = text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
  const searchNext = async () => {
    for (let row = waiting.shift(); row !== undefined && !over.aborted; row = waiting.shift()) {
      const { terminalId } = row
      const input = { terminalId, find, maxBytes: answerBytesMax } as const
      const { output, matches = 0 } = await client.call('read', input, { signal: over })
      const before = search.peek()
      if (over.aborted || before === null) return
      // Each line starts with its offset.
      const lines = output.split('\n').map((line) => {
        const [prefix = ''] = /^\d+: /.exec(line) ?? []
        return { text: line.slice(prefix.length), offset: Number.parseInt(prefix, 10) || 0 }
      })
      const found = matches === 0 ? [] : [{ terminalId, matches, lines: lines.slice(-linesMax) }]
      search.value = { ...before, found: [...before.found, ...found], done: before.done + 1 }
    }
  }
  await Promise.all(Array.from({ length: concurrentMax }, searchNext))
}
