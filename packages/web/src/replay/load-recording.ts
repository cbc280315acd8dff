/**
 * The recording of a terminal, fetched from the daemon part by part: what its log still has, so that no answer is large and the page goes on
 * in between. What is kept in the page is bounded, and then the newest counts. `load-kept.ts` fetches one that lies on the disk.
 */

import type { Size } from '@agentpty/protocol'
import { type CastEvent, type CastMarker, castLine, commandMark, readCast, sizeOf } from '@agentpty/protocol/recording'
import type { WireClient } from '@agentpty/protocol/wire'

export interface LoadedRecording {
  /** At its beginning. */
  readonly size: Size
  readonly events: readonly CastEvent[]
  /** Where commands begin. */
  readonly commands: readonly CastMarker[]
  /** Times count from the start of the program; the oldest output may be gone. */
  readonly beginMs: number
  readonly durationMs: number
  /** Output before it that is not in it. */
  readonly missedBytes: number
  readonly header: string
  /** As its header has it. */
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
    // As much as there was at the beginning: a program that floods would be followed for ever.
    if (next >= end || next >= none.end) return joined.whole()
    since = Math.max(next, missedBytes)
  }
}

/** Each part has its own header, and times that count from the same moment. */
class JoinedParts {
  readonly #events: CastEvent[] = []
  #size: Size = { cols: 80, rows: 24 }
  /** At the end of what there is. */
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
    const told = this.#events.slice(-endsMax)
    const earliest = this.#events.at(-1)?.at ?? 0
    for (const read of events) {
      // Each part begins anew with the wall time, which may have been set back.
      const event = { ...read, at: Math.max(earliest, read.at) }
      // What ends right where two parts meet is told by both.
      if (event.code === 'm' && told.some((one) => isSame(one, event))) continue
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

/** `events`: in the order of time. */
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

/** As a file that every player of asciicast plays. */
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
