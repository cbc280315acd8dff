import * as z from 'zod'
import { Approval, exampleApproval } from '../approvals/approval.ts'
import { exampleGrant, HoldingGrant } from '../approvals/grant.ts'
import { defineVerb } from './verb.ts'

/** For persons: an agent is told of its own by the call that asked. */
export const approvals = defineVerb({
  name: 'approvals',
  tool: null,
  title: 'List approvals',
  summary: 'What agents want to do and a person must allow first: what is open, and what was answered lately.',
  effect: 'reads',
  touches: 'own',
  safety: { types: null, starts: null, yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty approvals', library: 'client.call("approvals")' },
  input: z.strictObject({
    all: z.boolean().default(false).describe('Those that are answered, expired or withdrawn as well.'),
    waitTimeoutMs: z
      .number()
      .int()
      .min(0)
      .max(60_000)
      .default(0)
      .describe('Wait this long for the next change. Calls that need an approval then wait for the answer too.'),
  }),
  output: z.object({
    approvals: z.array(Approval).describe('The newest last.'),
    grants: z.array(HoldingGrant).describe('What was allowed beyond once and still holds.'),
  }),
  example: {},
  answer: {
    approvals: [exampleApproval],
    grants: [{ ...exampleGrant, leftMs: 7_200_000 }],
  },
})
