import { defined } from '../../contracts/defined.ts'
import { byPersonOnly } from './steps/by-person-only.ts'
import type { Handler } from './steps/handler.ts'

export const decide: Handler<'decide'> = async ({ approvals }, { approvalId, answer, grant }, { client, env }) => {
  byPersonOnly(approvalId, 'answered', env)
  return { approval: approvals.decide(approvalId, defined({ isAllowed: answer === 'allow', by: client, grant })) }
}
