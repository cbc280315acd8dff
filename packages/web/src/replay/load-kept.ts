/** Loads a saved recording from the daemon part by part and parses it line by line. It never exists as one text. */

import { TermError } from '@agentpty/protocol'
import { type CastEvent, castBytesMax, castEventsMax, readCast } from '@agentpty/protocol/recording'
import { type Call, type LoadedRecording, type LoadOptions, recordingOf } from './load-recording.ts'

/** Errors: those of the verb; `invalid_input` if it is not a recording, `limit_reached` if it is too large. */
export async function loadKept(
  client: Call,
  recordingId: string,
  { signal, progress }: LoadOptions,
): Promise<LoadedRecording> {
  const read = new CastInParts()
  /** The end at the start of loading. A recording that is still being written would otherwise never end. */
  let end = castBytesMax
  for (let from = 0; ; ) {
    const part = await client.call('keptRecording', { recordingId, from }, { signal })
    if (from === 0) end = part.end
    read.add(part.text)
    progress(Math.min(1, part.next / Math.max(1, end)))
    if (part.next >= end || part.next <= from) return read.whole()
    from = part.next
  }
}

/** Parses a recording in parts. A part may end inside a line; times count from the previous event. */
export class CastInParts {
  readonly #events: CastEvent[] = []
  #header: string | null = null
  #rest = ''

  add(text: string): void {
    const lines = this.#rest + text
    const end = lines.lastIndexOf('\n') + 1
    this.#rest = lines.slice(end)
    if (end === 0) return
    const whole = lines.slice(0, end)
    const isFirst = this.#header === null
    this.#header ??= whole.slice(0, whole.indexOf('\n') + 1)
    const before = this.#events.at(-1)?.at ?? 0
    const { events } = readCast(isFirst ? whole : this.#header + whole, 'The recording')
    if (this.#events.length + events.length > castEventsMax) throw tooMany()
    for (const { at, code, data } of events) this.#events.push({ at: before + at, code, data })
  }

  whole(): LoadedRecording {
    const header = this.#header ?? ''
    const { cols, rows, title } = readCast(header, 'The recording')
    return recordingOf({ size: { cols, rows }, title, header, events: this.#events, missedBytes: 0 })
  }
}

function tooMany(): TermError {
  return new TermError(
    'limit_reached',
    `The recording has more than ${castEventsMax} events.`,
    'Cut its file into parts: `agentpty recordings --json` shows its path.',
  )
}
