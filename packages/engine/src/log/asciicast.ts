/** Kept output as a recording for players of asciicast (version 2): bytes, the times at which they came, and sizes. */

import { defined, type Offset } from '@agentpty/protocol'
import type { OutputLog } from './output-log.ts'
import type { Moment, Timeline } from './timeline.ts'

export interface Recording {
  readonly log: OutputLog
  readonly timeline: Timeline
  /** Where it begins; by default with the oldest byte. */
  readonly since?: Offset
  readonly until: Offset
  /** Wall time at which the program was started. */
  readonly startedAt: number
  readonly title: string | null
  readonly command: string
  /** The newest output, at most this many bytes of it. */
  readonly maxBytes: number
  /** What is shown of a part of the log; by default its bytes. */
  readonly shown?: (since: Offset, until: Offset) => Uint8Array
}

export interface Asciicast {
  readonly text: string
  /** Bytes at the beginning that were left out. */
  readonly missedBytes: number
}

/** Players shorten longer rests to this. */
const idleSecondsMax = 2

export function writeAsciicast(recording: Recording): Asciicast {
  const { log, timeline, until, maxBytes, startedAt, title, command } = recording
  const { shown = (from, to) => log.read({ since: from, until: to }).bytes } = recording
  const since = Math.max(recording.since ?? 0, log.start, until - maxBytes)
  const { size, moments } = timeline.from(since)
  const header = defined({
    version: 2,
    width: size.cols,
    height: size.rows,
    timestamp: Math.floor(startedAt / 1_000),
    idle_time_limit: idleSecondsMax,
    command,
    env: { TERM: 'xterm-256color' },
    title: title ?? undefined,
  })
  // A character may be cut by a moment, and is shown in the next.
  const decoder = new TextDecoder('utf-8')
  const events = moments.flatMap((moment, at) => {
    const [from, to] = [Math.max(moment.offset, since), Math.min(moments[at + 1]?.offset ?? until, until)]
    const seconds = Math.max(0, moment.at - startedAt) / 1_000
    const bytes = to > from ? shown(from, to) : new Uint8Array()
    const output = decoder.decode(bytes, { stream: true })
    return [...resizeIn(moment, since, seconds), ...(output === '' ? [] : [[seconds, 'o', output]])]
  })
  const text = [header, ...events].map((line) => `${JSON.stringify(line)}\n`).join('')
  return { text, missedBytes: since }
}

function resizeIn({ size, offset }: Moment, since: Offset, seconds: number): readonly unknown[][] {
  return size === undefined || offset < since ? [] : [[seconds, 'r', `${size.cols}x${size.rows}`]]
}
