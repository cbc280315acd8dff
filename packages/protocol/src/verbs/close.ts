import * as z from 'zod'
import { TerminalId } from '../call/terminal-fields.ts'
import { defineVerb, forModels } from './verb.ts'

export const close = defineVerb({
  name: 'close',
  tool: 'terminal_close',
  title: 'Close terminals',
  summary:
    'End terminals and every process in them: terminalId, terminalIds, or all:true (those you opened). leaveDaemons spares daemons.',
  effect: 'destroys',
  touches: ['terminalId', 'terminalIds'],
  safety: { types: null, starts: null, yields: 'lease', callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty close', library: 'session.close()' },
  input: z
    .strictObject({
      terminalId: TerminalId.optional(),
      terminalIds: z.array(TerminalId).min(1).max(1_000).optional().describe('Terminals by their ids or names.'),
      all: z.boolean().optional().describe('Every terminal this client opened.'),
      leaveDaemons: z.boolean().optional().describe('Spare processes that left the terminal’s session.'),
      below: forModels(
        z.boolean().optional().describe('Also the terminals that were opened from them, and from those.'),
        null,
      ),
      force: forModels(z.boolean().optional().describe('Also the terminal that the caller itself runs in.'), null),
    })
    .refine((input) => input.terminalId || input.terminalIds || input.all, {
      message: 'name what to close: terminalId, terminalIds, or all:true',
    }),
  output: z.object({
    closed: z.array(z.string()).describe('Ids of the terminals that were closed.'),
    survivors: z
      .number()
      .int()
      .optional()
      .describe('Processes that could not be ended: another user’s, or stuck in the kernel.'),
  }),
  example: { terminalId: 'term-1' },
  answer: { closed: ['term-1'] },
})
