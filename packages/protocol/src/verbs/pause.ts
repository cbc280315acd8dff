import * as z from 'zod'
import { TerminalId } from '../call/terminal-fields.ts'
import { defineVerb } from './verb.ts'

export const pause = defineVerb({
  name: 'pause',
  tool: null,
  title: 'Pause terminals',
  summary: 'Stop every process in terminals and in all that were opened from them, or let them go on.',
  effect: 'changes',
  touches: ['terminalIds'],
  safety: { types: null, starts: null, yields: 'lease', callers: 'agent' },
  journal: ({ paused }) => (paused ? 'paused' : 'goes on'),
  words: { cli: 'agentpty agent pause', library: 'client.call("pause")' },
  input: z.strictObject({
    terminalIds: z.array(TerminalId).min(1).max(1_000).describe('Terminals by their ids or names.'),
    paused: z.boolean().describe('`false`: they go on.'),
    below: z.boolean().optional().describe('`false`: not those opened from them.'),
    force: z.boolean().optional().describe('Also the terminal that the caller itself runs in.'),
  }),
  output: z.object({
    terminals: z.array(z.string()).describe('Ids of the terminals that are paused now, or go on.'),
    processes: z.number().int().describe('How many processes they have.'),
  }),
  example: { terminalIds: ['term-4'], paused: true },
  answer: { terminals: ['term-5', 'term-4'], processes: 6 },
})
