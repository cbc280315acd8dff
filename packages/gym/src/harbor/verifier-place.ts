/** Where a verifier runs: in the agent's environment, or in one of its own. */

import type { HarborTask } from './harbor-task.ts'

export type VerifierPlace =
  | { readonly kind: 'shared' }
  /** `environment`: its own, or a fresh copy of the task's. */
  | { readonly kind: 'separate'; readonly environment: HarborTask['environment'] }

/** `step`: of a task that has several; what it does not say is as in the task. */
export function verifierPlace(task: HarborTask, step: HarborTask['steps'][number] | null = null): VerifierPlace {
  const own = step?.verifier ?? null
  const speaks = own !== null && (own.environment_mode !== null || own.environment !== null) ? own : task.verifier
  const { environment_mode: mode, environment } = speaks
  const isSeparate = mode === 'separate' || (mode === null && environment !== null)
  return isSeparate ? { kind: 'separate', environment: environment ?? task.environment } : { kind: 'shared' }
}
