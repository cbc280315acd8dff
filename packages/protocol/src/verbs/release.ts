import * as z from 'zod'
import { TerminalId } from '../call/terminal-fields.ts'
import { freeLease, Lease } from '../session/lease.ts'
import { defineVerb } from './verb.ts'

export const release = defineVerb({
  name: 'release',
  tool: null,
  title: 'Give a terminal back',
  summary:
    'A person gives a terminal back that was taken over. Agents that wait for it go on, and are told what the person has done.',
  effect: 'changes',
  touches: ['terminalId'],
  safety: { types: null, starts: null, yields: null, callers: 'person' },
  journal: ({ mayType }) => mayType,
  words: { cli: 'agentpty release', library: 'client.call("release")' },
  input: z.strictObject({
    terminalId: TerminalId,
    mayType: z
      .enum(['both', 'agent'])
      .default('both')
      .describe('Who may type from now on. `agent`: persons only after they have taken it over.'),
    holder: z.string().optional().describe('Only if this one still has it.'),
  }),
  output: z.object({ lease: Lease }),
  example: { terminalId: 'term-1' },
  answer: { lease: { ...freeLease, epoch: 2 } },
})
