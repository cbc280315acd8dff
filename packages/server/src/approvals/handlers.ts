/** The verbs of approvals. */

import { defined } from '@agentpty/protocol'
import { callerName } from '@agentpty/protocol/call'
import type { Handlers } from '../call/index.ts'
import { approvals } from './verbs/approvals.ts'

export const approvalHandlers = {
  approvals,
  decide: async ({ approvals }, { approvalId, answer, grant }, context) => {
    const by = callerName(context)
    return { approval: approvals.decide(approvalId, defined({ isAllowed: answer === 'allow', by, grant })) }
  },
} satisfies Partial<Handlers>
