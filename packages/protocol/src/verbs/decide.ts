import * as z from 'zod'
import { Approval, exampleApproval } from '../approvals/approval.ts'
import { GrantChoice } from '../approvals/grant.ts'
import { defineVerb } from './verb.ts'

export const decide = defineVerb({
  name: 'decide',
  tool: null,
  title: 'Answer approval',
  summary: 'Allow or deny what an agent wants to do. The first answer counts; what is not open any more is refused.',
  effect: 'changes',
  touches: 'nobody',
  safety: { types: null, starts: null, yields: null, callers: 'outside' },
  journal: ({ approvalId, answer }) => `${approvalId} ${answer}`,
  words: { cli: 'agentpty approvals answer', library: 'client.call("decide")' },
  input: z.strictObject({
    approvalId: z.string().min(1).max(40).describe('Of `approvals`.'),
    answer: z.enum(['allow', 'deny']).describe('`allow` counts once, for the very same call.'),
    grant: GrantChoice.optional().describe('Allowed beyond this once, as `offer` says: what, where and how long.'),
  }),
  output: z.object({ approval: Approval }),
  example: { approvalId: 'ap-3', answer: 'allow' },
  answer: {
    approval: { ...exampleApproval, state: 'allowed', answeredBy: 'agentpty CLI (ada@pts/3)' },
  },
})
