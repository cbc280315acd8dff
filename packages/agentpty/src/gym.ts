/**
 * Terminals as environments: reset to the same beginning, stepped through, judged.
 *
 * @example
 * ```ts
 * await using env = await makeEnv({ program: ['python3', '-q'] })
 * await env.reset({ seed: 1 })
 * const { observation, terminated } = await env.step('6 * 7')
 * ```
 */

export { type EnvOptions, makeEnv, makeVec, type VecOptions } from './compose/gym-library.ts'
export type { Action } from './contracts/gym/action.ts'
export type {
  EnvironmentInput,
  ResetKind,
  ResetResult,
  StepInfo,
  StepResult,
} from './contracts/gym/environment.ts'
export { Env, type ExecOptions, type ExecResult, type Fork, type ResetOptions } from './faces/library/env.ts'
export {
  type Actions,
  type AutoresetMode,
  VecEnv,
  type VecInfo,
  type VecReset,
  type VecResetOptions,
  type VecStep,
} from './faces/library/vec-env.ts'
