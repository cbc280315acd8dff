import type { Handler } from './steps/handler.ts'

export const revoke: Handler<'revoke'> = async ({ approvals }, { grantId }) => {
  return { grant: approvals.revoke(grantId) }
}
