import * as z from 'zod'
import { TerminalId } from '../call/terminal-fields.ts'
import { Lease } from '../session/lease.ts'
import { leaseMsDefault, leaseMsMax, leaseReasonCharactersMax } from '../session/lease-limits.ts'
import { defineVerb } from './verb.ts'

export const take = defineVerb({
  name: 'take',
  tool: null,
  title: 'Take a terminal over',
  summary:
    'A person takes a terminal over: nothing of an agent reaches its program any more, until it is given back or its time is over. Whoever has it extends the time.',
  effect: 'changes',
  touches: ['terminalId'],
  safety: { types: 'terminalId', starts: null, yields: null, callers: 'person' },
  journal: ({ reason }) => reason ?? null,
  words: { cli: 'agentpty take', library: 'client.call("take")' },
  input: z.strictObject({
    terminalId: TerminalId,
    forMs: z
      .number()
      .int()
      .min(1_000)
      .max(leaseMsMax)
      .default(leaseMsDefault)
      .describe('When it goes back by itself, unless it is taken again meanwhile.'),
    reason: z.string().max(leaseReasonCharactersMax).optional().describe('Told to agents that want to type.'),
  }),
  output: z.object({
    lease: Lease,
    droppedBytes: z.number().int().describe('Input of others that the program had not read; it will not.'),
    removed: z.string().optional().describe('What an agent had typed and not entered, and was taken back.'),
    leftover: z
      .string()
      .optional()
      .describe('What an agent has typed and not entered, and could not be taken back: it stands in the line.'),
  }),
  example: { terminalId: 'term-1', reason: 'merging by hand' },
  answer: {
    lease: {
      mayType: 'person',
      epoch: 1,
      holder: 'agentpty CLI (ada@pts/3)',
      reason: 'merging by hand',
      takenAt: 1750000000000,
      endsAt: 1750000300000,
      since: 318,
      removed: null,
    },
    droppedBytes: 0,
  },
})
