import type { Handler } from '../../call/handler.ts'

export const revoke: Handler<'revoke'> = async ({ approvals }, { grantId }) => {
  return { grant: approvals.revoke(grantId) }
}
