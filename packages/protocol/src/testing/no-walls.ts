import type { Gates } from '../effects/gate.ts'
import type { Walls } from '../sandbox/walls.ts'

/** Puts up no walls, and rejects requests for them. */
export const noWalls: Walls = {
  settle: () => null,
  enclose: () => Promise.reject(new Error('There are no walls here.')),
  explainFailure: async () => null,
}

/** Gives no terminal a gate. */
export const noGates: Gates = {
  keepsFiles: false,
  requiredAbove: () => null,
  loosenFor: () => {},
  tableFor: () => null,
  endJob: () => {},
  keptJobs: () => [],
}
