import { byPersonOnly } from './steps/by-person-only.ts'
import type { Handler } from './steps/handler.ts'

export const revoke: Handler<'revoke'> = async ({ approvals }, { grantId }, { env }) => {
  byPersonOnly(grantId, 'revoked', env)
  return { grant: approvals.revoke(grantId) }
}
