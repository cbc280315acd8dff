import { callerName } from '../../contracts/call/caller-name.ts'
import { defined } from '../../contracts/defined.ts'
import { byPersonOnly } from './steps/by-person-only.ts'
import type { Handler } from './steps/handler.ts'

export const decide: Handler<'decide'> = async ({ approvals }, { approvalId, answer, grant }, context) => {
  byPersonOnly(approvalId, 'answered', context.env)
  const by = callerName(context)
  return { approval: approvals.decide(approvalId, defined({ isAllowed: answer === 'allow', by, grant })) }
}
