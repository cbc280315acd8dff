/** The common result of every verb that touches a terminal: what changed, and whose turn it is now. */

import * as z from 'zod'
import { confidences, kinds, states } from '../session/verdict.ts'

/** The verdict as fields of a result. Absent fields say nothing new. */
export const verdictFields = {
  state: z.enum(states).describe('`ready`: your turn. `busy`: the program works. `exited`: it has ended.'),
  kind: z
    .enum(kinds)
    .optional()
    .describe('What a ready program expects: a shell’s command, a line, a password, …; see [Waiting](waiting.md).'),
  confidence: z.enum(confidences).optional().describe('How sure the verdict is: `certain`, `high`, `medium` or `low`.'),
  needs: z
    .literal('answer')
    .optional()
    .describe('`answer`: a dialog is up. What you send answers its question; an instruction would be lost in it.'),
  question: z.string().optional().describe('The question of the dialog, as far as it is known.'),
  evidence: z
    .array(z.string())
    .optional()
    .describe('Why, in words; given when the program is busy or the confidence is medium or low.'),
  exitCode: z
    .number()
    .int()
    .optional()
    .describe('Of the shell command that finished last during the call, or of the program once `state` is `exited`.'),
  signal: z.string().optional().describe('The signal that ended the program.'),
  approval: z
    .string()
    .optional()
    .describe('The approval that a call of its program waits for: a person must answer it.'),
  held: z.string().optional().describe('What that call would do, and the next move.'),
  takenBy: z
    .string()
    .optional()
    .describe('The person who has taken the terminal over: what others type is refused until it is given back.'),
  handedBack: z
    .string()
    .optional()
    .describe('What a person did who has had the terminal; given until an agent types again.'),
}

export const observationFields = {
  outcome: z
    .enum(['met', 'exited', 'timeout', 'needs_approval'])
    .optional()
    .describe(
      'How the wait ended: `met`, `exited`, `timeout`, or `needs_approval`: a call of its program is held until a person allows it. Absent when nothing was waited for.',
    ),
  output: z
    .string()
    .describe(
      'What a person would have read since the call began. Of full-screen programs: the rows that changed, below their numbers, or the whole picture when all did.',
    ),
  cursor: z.number().int().describe('Offset to read on from; give it to `terminal_read` as `since`.'),
  missedBytes: z.number().int().optional().describe('Bytes that were asked for and are no longer kept.'),
  invalidBytes: z
    .number()
    .int()
    .optional()
    .describe('Bytes of this output that are not UTF-8. `output` shows U+FFFD in their place.'),
  note: z.string().optional().describe('What happened to the input, when it did not simply arrive.'),
  ...verdictFields,
}

export const Observation = z.object(observationFields)
export type Observation = z.infer<typeof Observation>

/** Output, and how much of it is missing or shown as U+FFFD. */
export type CountedOutput = Pick<Observation, 'output' | 'missedBytes' | 'invalidBytes'>

/** Sentences about output that is missing or is not UTF-8. */
export type OutputGaps = Pick<Observation, 'missedBytes' | 'invalidBytes'>
