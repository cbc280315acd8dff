/** Actions on an environment in one step. */

import * as z from 'zod'
import { Columns, Rows, signals, typedText, WaitFor } from '../call/terminal-fields.ts'
import { keysPerSendMax, sendBytesMax } from '../limits.ts'
import { stepMsMax } from './gym-limits.ts'

const terminal = z.string().min(1).max(64).optional().describe('Another terminal of the task, by its name.')
const text = (what: string) => typedText(sendBytesMax).describe(what)

export const TypedAction = z.union([
  z.strictObject({ type: z.literal('send'), text: text('Typed as it is.'), enter: z.boolean().optional(), terminal }),
  z.strictObject({
    type: z.literal('keys'),
    keys: z.array(z.string().min(1).max(40)).min(1).max(keysPerSendMax),
    terminal,
  }),
  z.strictObject({ type: z.literal('paste'), text: text('Pasted, without Enter.'), terminal }),
  z.strictObject({
    type: z.literal('wait'),
    until: WaitFor.optional().describe('What ends the step; without it one’s turn.'),
    ms: z.number().int().min(0).max(stepMsMax).optional().describe('And at the latest after so long.'),
    terminal,
  }),
  z.strictObject({ type: z.literal('resize'), rows: Rows, cols: Columns, terminal }),
  z.strictObject({ type: z.literal('signal'), signal: z.enum(signals), terminal }),
  z.strictObject({ type: z.literal('finish') }),
])
export type TypedAction = z.infer<typeof TypedAction>

export type TerminusAction = z.infer<typeof TerminusAction>
export const TerminusAction = z.strictObject({
  keystrokes: text(
    'As Terminus writes them: names of tmux keys alone (`C-c`), anything else verbatim; `\\n` is Enter.',
  ),
  duration: z
    .number()
    .min(0)
    .max(stepMsMax / 1_000)
    .default(1)
    .describe('Seconds, at most: the step ends as soon as it is one’s turn again.'),
  legacySleep: z.literal(true).optional().describe('Wait the whole duration, as Terminus does.'),
  terminal,
})

/** A string is typed, and Enter pressed. */
export const Action = z
  .union([text('Typed, and Enter pressed.'), TypedAction, TerminusAction])
  .describe(
    'A string (typed, then Enter), `{type: "send" | "keys" | "paste" | "wait" | "resize" | "signal" | "finish", …}`, or `{keystrokes, duration}`.',
  )
export type Action = z.input<typeof Action>
export type ParsedAction = z.output<typeof Action>
