/** The verb that ends a scope. */

import type { Handlers } from '../call/index.ts'

export const scopeHandlers = {
  revoke: async ({ approvals }, { grantId }) => {
    return { grant: approvals.revoke(grantId) }
  },
} satisfies Partial<Handlers>
