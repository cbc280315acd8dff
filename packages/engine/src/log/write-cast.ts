/** Kept output as a recording of asciicast version 3: with markers for commands, and the exit. */

import { constants } from 'node:os'
import type { Exit, Offset } from '@agentpty/protocol'
import { type CastCode, castHeader, castLine } from '@agentpty/protocol/recording'
import type { Asciicast, Recording } from './asciicast.ts'
import { type CastStep, nothingBefore, type RecordedCommand, stepsIn } from './cast-steps.ts'

/** Stands before what came from `offset` on. */
export interface GivenMarker {
  readonly offset: Offset
  readonly label: string
}

export interface CommandsRecording extends Recording {
  readonly commands: readonly RecordedCommand[]
  /** Further ones, of whoever asks for the recording. */
  readonly markers?: readonly GivenMarker[]
  /** Null while the program lives. */
  readonly exit: Exit | null
}

export function writeCast(recording: CommandsRecording): Asciicast {
  const { log, timeline, until, maxBytes, startedAt, title, command, exit } = recording
  const { shown = (from, to) => log.read({ since: from, until: to }).bytes } = recording
  const since = Math.max(recording.since ?? 0, log.start, until - maxBytes)
  const { size } = timeline.from(since)
  const lines = [castHeader({ size, startedAt, command, title })]
  // A character may be cut by a step, and is shown behind it.
  const decoder = new TextDecoder('utf-8')
  let [readTo, now, last] = [since, startedAt, startedAt]
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
  const { steps } = stepsIn({ timeline, commands }, { from, until, told: nothingBefore(from) })
  const given = markers.map(({ offset, label }): CastStep => ({ offset, code: 'm', data: label }))
  return [...given, ...steps].toSorted((a, b) => a.offset - b.offset)
}

/** As shells tell it: of a signal 128 and its number. */
export function statusOf({ code, signal }: Exit): number {
  return code ?? 128 + (constants.signals[signal as NodeJS.Signals] ?? 0)
}
