import * as z from 'zod'
import { exampleGrant, Grant } from '../approvals/grant.ts'
import { defineVerb } from './verb.ts'

export const revoke = defineVerb({
  name: 'revoke',
  tool: null,
  title: 'Revoke a grant',
  summary: 'End what was allowed beyond once: the next call like it is asked about again.',
  effect: 'changes',
  touches: 'nobody',
  safety: { types: null, starts: null, yields: null, callers: 'outside' },
  journal: ({ grantId }) => grantId,
  words: { cli: 'agentpty approvals revoke', library: 'client.call("revoke")' },
  input: z.strictObject({ grantId: z.string().min(1).max(40).describe('Of `approvals`.') }),
  output: z.object({ grant: Grant }),
  example: { grantId: 'gr-1' },
  answer: { grant: exampleGrant },
})
