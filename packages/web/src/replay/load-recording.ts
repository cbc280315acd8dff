/**
 * Loads the recording of a live terminal from the daemon part by part. Small responses keep the page responsive. The page retains a bounded
 * amount, with preference for the newest output. `load-kept.ts` loads a saved recording.
 */

import type { Size } from '@agentpty/protocol'
import { type CastEvent, type CastMarker, castLine, commandMark, readCast, sizeOf } from '@agentpty/protocol/recording'
import type { WireClient } from '@agentpty/protocol/wire'

export interface LoadedRecording {
  /** The size at the start. */
  readonly size: Size
  readonly events: readonly CastEvent[]
  /** The starts of the commands. */
  readonly commands: readonly CastMarker[]
  /** Times count from the start of the program; the oldest output may be dropped. */
  readonly beginMs: number
  readonly durationMs: number
  /** Earlier output that the recording does not contain. */
  readonly missedBytes: number
  readonly header: string
  /** The title in its header. */
  readonly title: string | null
}

const partBytes = 1_024 * 1_024
const recordingBytesMax = 64 * 1_024 * 1_024

export interface LoadOptions {
  readonly signal: AbortSignal
  /** From 0 to 1. */
  readonly progress: (share: number) => void
}

export type Call = Pick<WireClient, 'call'>

/** Errors: those of the verb. */
export async function loadRecording(
  client: Call,
  terminalId: string,
  { signal, progress }: LoadOptions,
): Promise<LoadedRecording> {
  const part = (since: number, until: number) =>
    client.call('recording', { terminalId, version: 3, since, until }, { signal })
  const none = await part(0, 0)
  const joined = new JoinedParts()
  const begin = Math.max(none.missedBytes ?? 0, none.end - recordingBytesMax)
  const size = Math.max(1, none.end - begin)
  for (let since = begin; ; ) {
    const { recording, next, end, missedBytes = 0 } = await part(since, since + partBytes)
    joined.add(recording, missedBytes)
    progress(Math.min(1, (next - begin) / size))
    // Stops at the end known at the start; a program that floods would otherwise never end.
    if (next >= end || next >= none.end) return joined.whole()
    since = Math.max(next, missedBytes)
  }
}

/** Joins the parts. Each has its own header and times that count from the same moment. */
class JoinedParts {
  readonly #events: CastEvent[] = []
  #size: Size = { cols: 80, rows: 24 }
  /** The size after the last event so far. */
  #sizeNow: Size | null = null
  #header = ''
  #title: string | null = null
  #missedBytes = 0

  add(text: string, missedBytes: number): void {
    const { cols, rows, title, events } = readCast(text, 'The recording')
    if (this.#sizeNow === null) {
      this.#title = title
      this.#size = { cols, rows }
      this.#header = text.slice(0, text.indexOf('\n') + 1)
      this.#missedBytes = missedBytes
    } else if (this.#sizeNow.cols !== cols || this.#sizeNow.rows !== rows) {
      const at = events[0]?.at ?? this.#events.at(-1)?.at ?? 0
      this.#events.push({ at, code: 'r', data: `${cols}x${rows}` })
    }
    this.#sizeNow = { cols, rows }
    const recentEvents = this.#events.slice(-endsMax)
    const earliest = this.#events.at(-1)?.at ?? 0
    for (const read of events) {
      // Each part starts again from the wall time, which may have been set back.
      const event = { ...read, at: Math.max(earliest, read.at) }
      // An event at the boundary is included in both parts.
      if (event.code === 'm' && recentEvents.some((one) => isSame(one, event))) continue
      if (event.code === 'r') this.#sizeNow = sizeOf(event.data) ?? this.#sizeNow
      this.#events.push(event)
    }
  }

  whole(): LoadedRecording {
    return recordingOf({
      size: this.#size,
      title: this.#title,
      header: this.#header,
      events: this.#events,
      missedBytes: this.#missedBytes,
    })
  }
}

type Parts = Pick<LoadedRecording, 'size' | 'title' | 'header' | 'events' | 'missedBytes'>

/** `events`: in chronological order. */
export function recordingOf(parts: Parts): LoadedRecording {
  const { events, missedBytes } = parts
  return {
    ...parts,
    commands: events
      .filter(({ code, data }) => code === 'm' && data.startsWith(commandMark))
      .map(({ at, data }) => ({ at, label: data.slice(commandMark.length), isCommand: true })),
    beginMs: missedBytes > 0 ? (events[0]?.at ?? 0) : 0,
    durationMs: events.at(-1)?.at ?? 0,
  }
}

const endsMax = 4

const isSame = (a: CastEvent, b: CastEvent) => a.code === b.code && a.at === b.at && a.data === b.data

/** Returns the lines of an asciicast file. */
export function castOf({ header, events }: LoadedRecording): readonly string[] {
  let last = 0
  return [
    header,
    ...events.map(({ at, code, data }) => {
      const line = castLine(at - last, code, data)
      last = at
      return line
    }),
  ]
}
