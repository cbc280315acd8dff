import { callerName } from '../../../contracts/call/caller-name.ts'
import { defined } from '../../../contracts/defined.ts'
import type { Handler } from '../../call/handler.ts'

export const decide: Handler<'decide'> = async ({ approvals }, { approvalId, answer, grant }, context) => {
  const by = callerName(context)
  return { approval: approvals.decide(approvalId, defined({ isAllowed: answer === 'allow', by, grant })) }
}
