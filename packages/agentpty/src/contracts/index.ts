/** The words, shapes and limits of agentpty, for those who build on it. */

export type { CallContext } from './call/call-context.ts'
export { type Condition, type ConditionKind, type Ending, WaitFor } from './call/conditions.ts'
export { Observation } from './call/observation.ts'
export type { Client } from './client.ts'
export { type ErrorCode, errorCodes, isTermError, TermError } from './errors.ts'
export type { Clock, Exit } from './ports.ts'
export type { Confidence, Kind, State, Verdict } from './session/verdict.ts'
export type { Millis, Offset, Size } from './units.ts'
export {
  type VerbInput,
  type VerbInput as OperationInput,
  type VerbName,
  type VerbName as OperationName,
  type VerbOutput,
  type VerbOutput as OperationOutput,
  type Verbs,
  type Verbs as Operations,
  verbs,
  verbs as operations,
} from './verbs/index.ts'
export type { Verb, Verb as Operation } from './verbs/verb.ts'
