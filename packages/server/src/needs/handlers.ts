/** The verbs of needs. */

import type { Handlers } from '../call/index.ts'

export const needHandlers = {
  dismiss: async ({ overview }, { needId }, { scope }) => {
    overview.dismiss(needId, scope)
    return { dismissed: true }
  },
  needs: async ({ overview }, _input, { scope }) => ({
    needs: [...(await overview.needs(scope))],
  }),
} satisfies Partial<Handlers>
