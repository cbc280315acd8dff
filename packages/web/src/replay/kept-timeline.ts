/** The timeline of a closed terminal, from the markers of its recording. Times count from the start of the recording. */

import { type CastEvent, commandMark, sizeOf } from '@agentpty/protocol/recording'
import type { TimelineItemOf } from '@agentpty/protocol/timeline'
import type { LoadedRecording } from './load-recording.ts'
import { type GroupName, groups, type ShownItem, ShownTimeline } from './timeline.ts'

/** The newest items, as many as are shown of a live terminal. */
const itemsMax = 5_000

export function timelineOf(recording: LoadedRecording | null): ShownTimeline {
  const timeline = new ShownTimeline()
  timeline.startedAt.value = 0
  timeline.isLoading.value = recording === null
  const items = recording === null ? [] : itemsIn(recording.events)
  timeline.items.value = items.slice(-itemsMax)
  if (items.length > itemsMax) timeline.missing.value = ['commands']
  return timeline
}

/** Returns the groups that have at least one item. */
export function groupsIn(items: readonly ShownItem[]): readonly GroupName[] {
  const found = new Set(items.map(({ kind }) => kind))
  return groups.filter(({ kinds }) => kinds.some((kind) => found.has(kind))).map(({ name }) => name)
}

export function itemsIn(events: readonly CastEvent[]): readonly ShownItem[] {
  const items: ShownItem[] = []
  /** The index of the running command in the items. */
  let running = -1
  for (const event of events) {
    const end = endIn(event)
    const command = items[running]
    if (end !== null && command?.kind === 'command') {
      items[running] = { ...command, endedAt: event.at, exitCode: end.exitCode }
      running = -1
      if (event.code === 'm') continue
    }
    const item = itemOf(event)
    if (item === null) continue
    items.push(item)
    if (item.kind === 'command') running = items.length - 1
  }
  return items
}

/** Parses the end of a command: its marker or the exit of the shell; null for any other event. */
function endIn({ code: kind, data }: CastEvent): { readonly exitCode: number | null } | null {
  if (kind === 'x') return { exitCode: null }
  const [whole, code] = kind === 'm' ? (/^(?:exit code (\d{1,10})|it has ended)$/.exec(data) ?? []) : []
  if (whole === undefined) return null
  return { exitCode: code === undefined ? null : Number(code) }
}

/** Returns null for events that the timeline does not show: output and input. */
function itemOf({ at, code, data }: CastEvent): ShownItem | null {
  const offset = 0
  if (code === 'm' && data.startsWith(commandMark))
    return {
      kind: 'command',
      at,
      offset,
      line: data.slice(commandMark.length),
      end: null,
      endedAt: null,
      exitCode: null,
    }
  if (code === 'm') return leaseOf(at, data) ?? { kind: 'note', at, text: data }
  const size = code === 'r' ? sizeOf(data) : null
  if (size !== null) return { kind: 'size', at, offset, ...size }
  return code === 'x' ? { kind: 'exit', at, offset, exitCode: Number.parseInt(data, 10) || 0, signal: null } : null
}

function leaseOf(at: number, label: string): TimelineItemOf<'lease'> | null {
  const [, holder] = /^(.{1,200}) has taken it over$/.exec(label) ?? []
  if (holder !== undefined) return { kind: 'lease', at, event: 'taken', who: holder }
  return label === 'agents may type again' ? { kind: 'lease', at, event: 'released', who: '-' } : null
}
