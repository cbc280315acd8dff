/** The verbs of approvals. */

import { callerName } from '../../contracts/call/caller-name.ts'
import { defined } from '../../contracts/defined.ts'
import type { Handlers } from '../call/index.ts'
import { approvals } from './verbs/approvals.ts'

export const approvalHandlers = {
  approvals,
  decide: async ({ approvals }, { approvalId, answer, grant }, context) => {
    const by = callerName(context)
    return { approval: approvals.decide(approvalId, defined({ isAllowed: answer === 'allow', by, grant })) }
  },
} satisfies Partial<Handlers>
