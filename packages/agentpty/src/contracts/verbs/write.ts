import { z } from 'zod'
import { defineOperation } from '../call/operation.ts'
import { TerminalId } from '../call/terminal-fields.ts'
import { sendBytesMax } from '../limits.ts'

/** What a person’s own terminal sends for the keys pressed there. */
export const write = defineOperation({
  name: 'write',
  tool: null,
  title: 'Write bytes',
  summary: 'Write bytes (base64) to a terminal as they are. Waits for nothing.',
  effect: 'destroys',
  input: z.strictObject({ terminalId: TerminalId, data: z.base64().max(Math.ceil((sendBytesMax * 4) / 3)) }),
  output: z.object({
    written: z.literal(true),
    /** What happened to the input, where it did not simply arrive. */
    note: z.string().optional(),
  }),
  example: { terminalId: 'term-1', data: 'bHMK' },
})
