/** Kept output as a recording for players of asciicast (version 2): bytes, the times at which they came, and sizes. */

import { constants } from 'node:os'
import { defined, type Exit, type Offset } from '@agentpty/protocol'
import {
  type CastCode,
  castHeader,
  castLine,
  commandMark,
  markerCharactersMax,
  sizeText,
} from '@agentpty/protocol/recording'
import type { OutputLog } from './output-log.ts'
import type { Moment, Timeline } from './timeline.ts'

interface Recording {
  readonly log: OutputLog
  readonly timeline: Timeline
  /** The offset at which it begins; by default the oldest byte. */
  readonly since?: Offset
  readonly until: Offset
  /** Wall time at which the program was started. */
  readonly startedAt: number
  readonly title: string | null
  readonly command: string
  /** The newest output, at most this many bytes of it. */
  readonly maxBytes: number
  /** Returns the bytes to show for a part of the log; by default the bytes themselves. */
  readonly shown?: (since: Offset, until: Offset) => Uint8Array
}

interface Asciicast {
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
    const from = Math.max(moment.offset, since)
    const to = Math.min(moments[at + 1]?.offset ?? until, until)
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

// The events of a recording besides the bytes, by offset: arrival times, sizes, and commands.

/** Either the wall time at which the bytes from `offset` on came, or an event before the byte at `offset`. */
type CastStep =
  | { readonly offset: Offset; readonly at: number }
  | { readonly offset: Offset; readonly code: CastCode; readonly data: string }

export interface RecordedCommand {
  readonly line: string
  readonly outputStart: Offset
  /** Null while it runs. */
  readonly ended: { readonly outputEnd: Offset; readonly exitCode: number | null } | null
}

/** How far each kind of event has been written. Each has its own offset, because an event may be at the very end of the earlier output. */
export interface CastProgress {
  readonly begun: Offset
  readonly ended: Offset
  /** Changes of size: their offset, and wall time. */
  readonly sized: Offset
  readonly sizedAt: number
}

/** The progress after which no event before `offset` is written again. */
export const nothingBefore = (offset: Offset): CastProgress => ({
  begun: offset,
  // The mark that ends a command is behind the offset at which the command ends.
  ended: offset - 1,
  sized: offset,
  sizedAt: Number.POSITIVE_INFINITY,
})

/** Whether the command started or ended after `progress`, up to `until`. */
export function isWithin(
  { outputStart, ended }: Omit<RecordedCommand, 'line'>,
  progress: CastProgress,
  until: Offset,
): boolean {
  const isBegun = outputStart > progress.begun && outputStart <= until
  return isBegun || (ended !== null && ended.outputEnd > progress.ended && ended.outputEnd <= until)
}

/** Returns the events in order, and the progress after they are written. */
export function stepsIn(
  { timeline, commands }: { readonly timeline: Timeline; readonly commands: readonly RecordedCommand[] },
  { from, until, progress }: { readonly from: Offset; readonly until: Offset; readonly progress: CastProgress },
): { readonly steps: readonly CastStep[]; readonly progress: CastProgress } {
  const { moments } = timeline.from(from)
  const sizes = moments.filter(
    ({ size, offset, at }) =>
      size !== undefined &&
      offset <= until &&
      (offset > progress.sized || (offset === progress.sized && at > progress.sizedAt)),
  )
  const begun = commands.filter(({ outputStart }) => outputStart > progress.begun && outputStart <= until)
  const ended = commands
    .flatMap((command) => command.ended ?? [])
    .filter(({ outputEnd }) => outputEnd > progress.ended && outputEnd <= until)
  const steps: CastStep[] = [
    // The command started with the byte before: the byte at `outputStart` may come much later.
    ...begun.map(({ outputStart, line }): CastStep => ({ offset: outputStart, code: 'm', data: beginOf(line) })),
    ...moments.filter(({ offset }) => offset < until || sizes.some((size) => size.offset === offset)),
    ...sizes.flatMap(({ offset, size }): CastStep[] =>
      size === undefined ? [] : [{ offset, code: 'r', data: sizeText(size) }],
    ),
    ...ended.map(({ outputEnd, exitCode }): CastStep => ({ offset: outputEnd, code: 'm', data: endOf(exitCode) })),
  ]
  return {
    steps: steps.toSorted((a, b) => a.offset - b.offset),
    progress: {
      begun: Math.max(progress.begun, ...begun.map(({ outputStart }) => outputStart)),
      ended: Math.max(progress.ended, ...ended.map(({ outputEnd }) => outputEnd)),
      sized: sizes.at(-1)?.offset ?? progress.sized,
      sizedAt: sizes.at(-1)?.at ?? progress.sizedAt,
    },
  }
}

function beginOf(line: string): string {
  const shown = line.trim().replaceAll(/\s+/g, ' ').slice(0, markerCharactersMax)
  return commandMark + (shown === '' ? 'a command' : shown)
}

const endOf = (exitCode: number | null): string => (exitCode === null ? 'it has ended' : `exit code ${exitCode}`)

/** A marker before the output from `offset` on. */
interface GivenMarker {
  readonly offset: Offset
  readonly label: string
}

interface CommandsRecording extends Recording {
  readonly commands: readonly RecordedCommand[]
  /** Additional markers of the caller. */
  readonly markers?: readonly GivenMarker[]
  /** Null while the program lives. */
  readonly exit: Exit | null
}

/** Kept output as a recording of asciicast version 3: with markers for commands, and the exit. */
export function writeCast(recording: CommandsRecording): Asciicast {
  const { log, timeline, until, maxBytes, startedAt, title, command, exit } = recording
  const { shown = (from, to) => log.read({ since: from, until: to }).bytes } = recording
  const since = Math.max(recording.since ?? 0, log.start, until - maxBytes)
  const { size } = timeline.from(since)
  const lines = [castHeader({ size, startedAt, command, title })]
  // A character may be cut by a step, and is shown behind it.
  const decoder = new TextDecoder('utf-8')
  let readTo = since
  let now = startedAt
  let last = startedAt
  const event = (code: CastCode, data: string) => {
    lines.push(castLine(now - last, code, data))
    last = Math.max(now, last)
  }
  const outputTo = (to: number) => {
    const text = to > readTo ? decoder.decode(shown(readTo, to), { stream: true }) : ''
    readTo = Math.max(readTo, to)
    if (text !== '') event('o', text)
  }
  for (const step of stepsOf(recording, since)) {
    outputTo(step.offset)
    if ('at' in step) now = Math.max(now, step.at)
    else event(step.code, step.data)
  }
  outputTo(until)
  if (exit !== null) event('x', String(statusOf(exit)))
  return { text: lines.join(''), missedBytes: since }
}

function stepsOf({ timeline, commands, markers = [], until }: CommandsRecording, from: Offset): readonly CastStep[] {
  const { steps } = stepsIn({ timeline, commands }, { from, until, progress: nothingBefore(from) })
  const given = markers.map(({ offset, label }): CastStep => ({ offset, code: 'm', data: label }))
  return [...given, ...steps].toSorted((a, b) => a.offset - b.offset)
}

/** Returns the status as shells report it: for a signal, 128 plus its number. */
export function statusOf({ code, signal }: Exit): number {
  return code ?? 128 + (constants.signals[signal as NodeJS.Signals] ?? 0)
}
