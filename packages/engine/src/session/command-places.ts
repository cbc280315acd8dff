/**
 * Finds the rows of a shell's commands on the screen and above it. The emulator knows rows and the marks know offsets, both in the order in
 * which the shell reported them. A pair counts only where the row shows the line.
 */

import type { Offset } from '@agentpty/protocol'
import { type CastProgress, isWithin, type RecordedCommand } from '../log/asciicast.ts'
import type { OutputLog } from '../log/output-log.ts'
import type { Timeline } from '../log/timeline.ts'
import type { CommandTracker, RunningCommand } from '../marks/command-tracker.ts'
import { drawnLine } from '../marks/drawn-line.ts'
import type { Screen } from '../screen/screen.ts'
import { searchableText } from '../waits/bounded-pattern.ts'

interface CommandPlace {
  /** The row of its prompt, counted from the oldest retained row; null where no row shows it. */
  readonly row: number | null
  readonly offset: Offset
  /** Null while it runs. */
  readonly end: Offset | null
  readonly exitCode: number | null
}

/** The output in which a line is read. */
interface DrawnOutput {
  readonly log: OutputLog
  readonly timeline: Pick<Timeline, 'sizeAt'>
}

interface WithCommands extends DrawnOutput {
  readonly commands: CommandTracker
}

type ScreenWithCommands = Pick<Screen, 'parsedTo' | 'commandRows' | 'rowsText'>

/** The oldest first. */
export function commandPlaces(session: WithCommands, screen: ScreenWithCommands): readonly CommandPlace[] {
  const { commands } = session
  const { current } = commands
  const all = [
    ...commands.commands,
    ...(current === null ? [] : [{ ...current, outputEnd: null, exitCode: null }]),
  ].filter(({ outputStart }) => outputStart <= screen.parsedTo)
  const rows = screen.commandRows
  // The emulator may know fewer commands, and then the newest ones.
  const missing = all.length - rows.length
  const known = all.map((_, index) => (index < missing ? null : (rows[index - missing] ?? null)))
  return all.flatMap((command, index) => {
    const { outputStart: offset, outputEnd: end, exitCode } = command
    const row = known[index] ?? null
    // Rows below the next prompt are not part of its line.
    const until = known.find((next, at) => at > index && next !== null) ?? Number.POSITIVE_INFINITY
    const isShown = row !== null && shows(screen, { row, until }, lineOfCommand(command, session))
    // Without a row and without output, nothing can be shown.
    const isKept = end === null || end > session.log.start
    return isShown || isKept ? [{ row: isShown ? row : null, offset, end, exitCode }] : []
  })
}

/** A prompt may have rows of its own above the line. */
const promptRowsMax = 6
const comparedCharacters = 12

function shows(
  screen: ScreenWithCommands,
  { row, until }: { readonly row: number; readonly until: number },
  line: string,
): boolean {
  const begin = bare(line.split('\n', 1)[0] ?? '').slice(0, comparedCharacters)
  return bare(screen.rowsText(row, Math.min(promptRowsMax, until - row))).includes(begin)
}

const bare = (text: string) => text.replaceAll(/\s+/g, '')

// The line of a command: as the shell reported it, or else read from the output.

/** The bytes read of a line, with everything that its editor has drawn. */
const lineBytesMax = 4_096

/** Returns the line of the command. Empty where neither the shell nor the output shows it. */
export function lineOfCommand(
  { line: reported, promptStart, inputStart, outputStart }: Omit<RunningCommand, 'startedAt' | 'cwd'>,
  { log, timeline }: DrawnOutput,
): string {
  if (reported !== null || inputStart === null) return reported ?? ''
  const promptFrom = Math.max(promptStart ?? inputStart, inputStart - lineBytesMax)
  const prompt = log.read({ since: promptFrom, until: inputStart, maxBytes: lineBytesMax }).bytes
  const { bytes } = log.read({ since: inputStart, until: outputStart, maxBytes: lineBytesMax })
  const { cols: width } = timeline.sizeAt(outputStart)
  const line = drawnLine({ prompt: decoder.decode(prompt), drawn: decoder.decode(bytes), width })
  return (line ?? searchableText(bytes)).trim()
}

const decoder = new TextDecoder()

// The commands of a shell between two offsets, for a recording.

/** Reads lines from the output where the shell does not report them, so only for the commands in the range. */
export function recordedCommands(
  session: WithCommands,
  progress: CastProgress,
  until: Offset,
): readonly RecordedCommand[] {
  const { commands, current } = session.commands
  const all = [
    ...commands.map((one) => ({ one, ended: one })),
    ...(current === null ? [] : [{ one: current, ended: null }]),
  ]
  return all
    .filter(({ one, ended }) => isWithin({ outputStart: one.outputStart, ended }, progress, until))
    .map(({ one, ended }) => ({ outputStart: one.outputStart, ended, line: lineOfCommand(one, session) }))
}
