/** A server that has no environments, and can make none. */

import { TermError } from '../errors.ts'
import type { Environments } from '../gym/environments.ts'

export const noEnvironments: Environments = {
  make: async () => {
    throw new TermError('sandbox_unavailable', 'No container can be made here.', 'There are none in this test.')
  },
  reset: async (id) => notFound(id),
  step: async (id) => notFound(id),
  fork: async (id) => notFound(id),
  verify: async (id) => notFound(id),
  close: async (id) => notFound(id),
  list: () => [],
  scopeOf: () => null,
  container: notFound,
  insideStart: notFound,
}

function notFound(id: string): never {
  throw new TermError('environment_not_found', `No environment "${id}".`, 'Make one first.')
}
