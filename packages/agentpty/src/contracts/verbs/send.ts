import { z } from 'zod'
import { WaitFor } from '../call/conditions.ts'
import { observationFields } from '../call/observation.ts'
import { defineOperation } from '../call/operation.ts'
import { TerminalId, typedText, waitTimeoutMs } from '../call/terminal-fields.ts'
import { sendBytesMax } from '../limits.ts'

export const send = defineOperation({
  name: 'send',
  tool: 'terminal_send',
  title: 'Type text',
  summary:
    'Type text and Enter (newline:false: no Enter), wait until it is your turn again, return what was printed. For shells, REPLs, debuggers, prompts, passwords. Text is literal: control keys need terminal_send_keys.',
  effect: 'destroys',
  input: z.strictObject({
    terminalId: TerminalId,
    text: typedText(sendBytesMax),
    newline: z.boolean().optional(),
    /** The text is an instruction for an agent: typed only when it is idle, never into a dialog. */
    instruct: z.boolean().optional(),
    waitFor: WaitFor.optional(),
    waitForString: z.string().min(1).optional(),
    waitForOutput: z.boolean().optional(),
    waitTimeoutMs,
  }),
  output: z.object({ sent: z.literal(true), ...observationFields }),
  example: { terminalId: 'term-1', text: 'make test' },
})
