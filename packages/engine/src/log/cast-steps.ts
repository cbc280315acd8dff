/** What a recording tells besides the bytes themselves, by offset: when they came, sizes, and commands. */

import type { Offset } from '@agentpty/protocol'
import { type CastCode, commandMark, markerCharactersMax, sizeText } from '@agentpty/protocol/recording'
import type { Timeline } from './timeline.ts'

/** The bytes from `offset` on came `at` this wall time; or before the byte at `offset` there is an event. */
export type CastStep =
  | { readonly offset: Offset; readonly at: number }
  | { readonly offset: Offset; readonly code: CastCode; readonly data: string }

export interface RecordedCommand {
  readonly line: string
  readonly outputStart: Offset
  /** Null while it runs. */
  readonly ended: { readonly outputEnd: Offset; readonly exitCode: number | null } | null
}

/** How far each kind of event has been told. They are apart, because an event may stand at the very end of what there was before it. */
export interface ToldTo {
  readonly begun: Offset
  readonly ended: Offset
  /** Changes of size: their offset, and wall time. */
  readonly sized: Offset
  readonly sizedAt: number
}

/** Where nothing before `offset` is told again. */
export const nothingBefore = (offset: Offset): ToldTo => ({
  begun: offset,
  // The mark that ends a command stands behind the offset at which the command ends.
  ended: offset - 1,
  sized: offset,
  sizedAt: Number.POSITIVE_INFINITY,
})

/** Of a command there is something to tell. */
export function isWithin({ outputStart, ended }: Omit<RecordedCommand, 'line'>, told: ToldTo, until: Offset): boolean {
  const isBegun = outputStart > told.begun && outputStart <= until
  return isBegun || (ended !== null && ended.outputEnd > told.ended && ended.outputEnd <= until)
}

/** In order, and how far everything is told with them. */
export function stepsIn(
  { timeline, commands }: { readonly timeline: Timeline; readonly commands: readonly RecordedCommand[] },
  { from, until, told }: { readonly from: Offset; readonly until: Offset; readonly told: ToldTo },
): { readonly steps: readonly CastStep[]; readonly told: ToldTo } {
  const { moments } = timeline.from(from)
  const sizes = moments.filter(
    ({ size, offset, at }) =>
      size !== undefined && offset <= until && (offset > told.sized || (offset === told.sized && at > told.sizedAt)),
  )
  const begun = commands.filter(({ outputStart }) => outputStart > told.begun && outputStart <= until)
  const ended = commands
    .flatMap((command) => command.ended ?? [])
    .filter(({ outputEnd }) => outputEnd > told.ended && outputEnd <= until)
  const steps: CastStep[] = [
    // It has begun with the byte before: what stands there may come much later.
    ...begun.map(({ outputStart, line }): CastStep => ({ offset: outputStart, code: 'm', data: beginOf(line) })),
    ...moments.filter(({ offset }) => offset < until || sizes.some((size) => size.offset === offset)),
    ...sizes.flatMap(({ offset, size }): CastStep[] =>
      size === undefined ? [] : [{ offset, code: 'r', data: sizeText(size) }],
    ),
    ...ended.map(({ outputEnd, exitCode }): CastStep => ({ offset: outputEnd, code: 'm', data: endOf(exitCode) })),
  ]
  return {
    steps: steps.toSorted((a, b) => a.offset - b.offset),
    told: {
      begun: Math.max(told.begun, ...begun.map(({ outputStart }) => outputStart)),
      ended: Math.max(told.ended, ...ended.map(({ outputEnd }) => outputEnd)),
      sized: sizes.at(-1)?.offset ?? told.sized,
      sizedAt: sizes.at(-1)?.at ?? told.sizedAt,
    },
  }
}

function beginOf(line: string): string {
  const shown = line.trim().replaceAll(/\s+/g, ' ').slice(0, markerCharactersMax)
  return commandMark + (shown === '' ? 'a command' : shown)
}

const endOf = (exitCode: number | null): string => (exitCode === null ? 'it has ended' : `exit code ${exitCode}`)
