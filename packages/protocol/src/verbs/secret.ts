import * as z from 'zod'
import { TerminalId } from '../call/terminal-fields.ts'
import { secretCharactersMax } from '../secrets/secret-limits.ts'
import { defineVerb } from './verb.ts'

export const secret = defineVerb({
  name: 'secret',
  tool: null,
  title: 'Type a secret',
  summary:
    'A person types a secret: the program gets it, and models see it nowhere, not even where a program prints it. Not at a shell’s prompt.',
  effect: 'destroys',
  touches: ['terminalId'],
  safety: { types: 'terminalId', starts: null, yields: null, callers: 'outside' },
  journal: null,
  words: { cli: 'agentpty secret', library: 'client.call("secret")' },
  input: z.strictObject({
    terminalId: TerminalId,
    text: z
      .string()
      .min(1)
      .max(secretCharactersMax)
      .regex(/^[^\r\n\0]*$/, 'A secret is one line.'),
    newline: z.boolean().default(true).describe('Press Enter at the end.'),
  }),
  output: z.object({ sent: z.literal(true) }),
  example: { terminalId: 'term-1', text: 'correct horse' },
  answer: { sent: true },
})
