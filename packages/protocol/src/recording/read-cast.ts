/** Reads recordings of asciicast, version 2 and 3. What is not known in them is passed over, as the format wants it. */

import { defined } from '../collections.ts'
import { invalidInput, limitReached, type TermError } from '../errors.ts'
import { csi, stringBegin, stringEnd, wholeSingle } from '../escapes/printed-text.ts'
import type { Millis, Size } from '../units.ts'
import { isObject, type JsonObject } from '../wire/line-wire.ts'
import { type Cast, type CastEvent, type CastMarker, castColsMax, castEventsMax, castRowsMax } from './recordings.ts'

/** Commands begin with this in their markers, so that players find them among others. */
export const commandMark = '$ '

/** `name`: of the file, for errors. Errors: `invalid_input`, `limit_reached`. */
export function readCast(text: string, name: string): Cast {
  const lines = text.split('\n')
  const header = parseLine(lines[0] ?? '')
  if (!isObject(header) || (header['version'] !== 2 && header['version'] !== 3)) throw notACast(name)
  const events = eventsIn(lines, header['version'], name)
  const textOf = (value: unknown) => (typeof value === 'string' ? value : null)
  const { timestamp } = header
  return {
    ...sizeIn(header),
    title: textOf(header['title']),
    command: textOf(header['command']),
    startedAt: typeof timestamp === 'number' ? timestamp * 1_000 : null,
    durationMs: events.at(-1)?.at ?? 0,
    markers: events.filter(({ code }) => code === 'm').map(markerOf),
    events,
  }
}

function eventsIn(lines: readonly string[], version: number, name: string): readonly CastEvent[] {
  const events: CastEvent[] = []
  let last = 0
  for (const [index, line] of lines.entries()) {
    if (index === 0 || line === '' || line.startsWith('#')) continue
    const parsed = parseLine(line)
    // The last line may be half written, by a killed recorder.
    if (parsed === undefined && index >= lines.length - 1) continue
    if (!Array.isArray(parsed)) throw notACast(`${name}:${index + 1}`)
    const [seconds, code, data] = parsed as readonly unknown[]
    if (typeof seconds !== 'number' || typeof code !== 'string' || typeof data !== 'string')
      throw notACast(`${name}:${index + 1}`)
    const at = wholeMicroseconds(version === 3 ? last + seconds * 1_000 : seconds * 1_000)
    last = Math.max(last, Number.isFinite(at) ? at : last)
    events.push({ at: last, code, data })
    if (events.length > castEventsMax)
      throw limitReached(`${name} has more than ${castEventsMax} events.`, 'Record it in parts.')
  }
  return events
}

/** Sums of seconds differ by a hair, and then the same moment would be before itself. */
const wholeMicroseconds = (ms: Millis): Millis => Math.round(ms * 1_000) / 1_000

function sizeIn(header: JsonObject): { readonly cols: number; readonly rows: number } {
  const { term } = header
  const [cols, rows] = isObject(term) ? [term['cols'], term['rows']] : [header['width'], header['height']]
  return { cols: within(cols, 80, castColsMax), rows: within(rows, 24, castRowsMax) }
}

const within = (value: unknown, otherwise: number, max: number) =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? Math.min(value, max) : otherwise

/** Parses the data of a change of size; null for anything else. */
export function sizeOf(data: string): { readonly cols: number; readonly rows: number } | null {
  const [, cols, rows] = /^(\d{1,5})x(\d{1,5})$/.exec(data) ?? []
  if (cols === undefined || rows === undefined) return null
  return { cols: Math.max(2, within(Number(cols), 80, castColsMax)), rows: within(Number(rows), 24, castRowsMax) }
}

function markerOf({ at, data }: CastEvent): CastMarker {
  return { at, label: data, isCommand: data.startsWith(commandMark) }
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    // No JSON: the caller decides about it.
    return undefined
  }
}

function notACast(name: string): TermError {
  return invalidInput(`${name} is no asciicast of version 2 or 3.`, 'Name a .cast file or a recording.')
}

/** Output, input, a marker, another size, the exit. */
export type CastCode = 'o' | 'i' | 'm' | 'r' | 'x'

interface CastAbout {
  readonly size: Size
  /** Wall time of the beginning. */
  readonly startedAt: number
  readonly command: string
  readonly title: string | null
}

/** Players shorten longer rests to this. */
const idleSecondsMax = 2

/**
 * Recordings as lines: asciicast, version 3. Each event has the seconds since the one before it; times are whole milliseconds, so nothing is
 * lost by rounding. Lines that begin with # are comments, which players pass over.
 */
export function castHeader({ size, startedAt, command, title }: CastAbout): string {
  const header = defined({
    version: 3,
    term: { cols: size.cols, rows: size.rows, type: 'xterm-256color' },
    timestamp: Math.floor(startedAt / 1_000),
    idle_time_limit: idleSecondsMax,
    command,
    title: title ?? undefined,
  })
  return `${JSON.stringify(header)}\n`
}

export function castLine(afterMs: Millis, code: string, data: string): string {
  return `[${Math.max(0, Math.round(afterMs)) / 1_000}, "${code}", ${JSON.stringify(data)}]\n`
}

export const sizeText = ({ cols, rows }: Size): string => `${cols}x${rows}`

// Where a recording begins to show something: its players start there, and not on an empty screen.

const sequences = new RegExp(String.raw`${stringBegin}[^\x07\x1b]*${stringEnd}|${csi}|${wholeSingle}`, 'g')

/** Returns the time of the first output with a character that is seen; 0 where there is none. */
export function firstShownMs(events: readonly CastEvent[]): Millis {
  const isShown = ({ code, data }: CastEvent) => code === 'o' && /[^\s\p{Cc}]/u.test(data.replaceAll(sequences, ''))
  return events.find(isShown)?.at ?? 0
}
