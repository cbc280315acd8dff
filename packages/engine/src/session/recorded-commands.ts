/** The commands of a shell between two offsets, for a recording. */

import type { Offset } from '@agentpty/protocol'
import { isWithin, type RecordedCommand, type ToldTo } from '../log/cast-steps.ts'
import type { OutputLog } from '../log/output-log.ts'
import type { CommandTracker } from '../marks/command-tracker.ts'
import { lineOfCommand } from './command-line.ts'

/** Their lines are read from the output where the shell does not tell them, so only of those that are asked for. */
export function recordedCommands(
  { commands: { commands, current }, log }: { readonly commands: CommandTracker; readonly log: OutputLog },
  told: ToldTo,
  until: Offset,
): readonly RecordedCommand[] {
  const all = [
    ...commands.map((one) => ({ one, ended: one })),
    ...(current === null ? [] : [{ one: current, ended: null }]),
  ]
  return all
    .filter(({ one, ended }) => isWithin({ outputStart: one.outputStart, ended }, told, until))
    .map(({ one, ended }) => ({ outputStart: one.outputStart, ended, line: lineOfCommand(one, log) }))
}
