import * as z from 'zod'
import { TerminalId } from '../call/terminal-fields.ts'
import { sendBytesMax } from '../limits.ts'
import { defineVerb } from './verb.ts'

/** What a person’s own terminal sends for the keys pressed there. */
export const write = defineVerb({
  name: 'write',
  tool: null,
  title: 'Write bytes',
  summary: 'Write bytes (base64) to a terminal as they are. Waits for nothing.',
  effect: 'destroys',
  touches: ['terminalId'],
  safety: { types: 'terminalId', starts: null, yields: 'lease', callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty attach', library: 'client.call("write")' },
  input: z.strictObject({
    terminalId: TerminalId,
    data: z
      .base64()
      .max(Math.ceil((sendBytesMax * 4) / 3))
      .describe('The bytes, in base64.'),
    numbered: z
      .strictObject({
        writer: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER).describe('Random, of whoever writes.'),
        number: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER).describe('Of these bytes: 1, 2, 3 …'),
      })
      .optional()
      .describe(
        'What was written under this number, or a later one, is not written again, not even by the next daemon.',
      ),
  }),
  output: z.object({
    written: z.literal(true).describe('Always `true`; an input that could not be written is an error.'),
    note: z.string().optional().describe('What happened to the input, when it did not simply arrive.'),
  }),
  example: { terminalId: 'term-1', data: 'bHMK' },
  answer: { written: true },
})
