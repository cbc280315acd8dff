/** The words, shapes and limits of agentpty, for those who build on it. */

export { type Condition, type ConditionKind, type Ending, WaitFor } from './call/conditions.ts'
export { Observation } from './call/observation.ts'
export type { CallContext, Operation } from './call/operation.ts'
export {
  type OperationInput,
  type OperationName,
  type OperationOutput,
  type Operations,
  operations,
} from './call/operations.ts'
export type { Client } from './client.ts'
export { type ErrorCode, errorCodes, isTermError, TermError } from './errors.ts'
export type { Clock, Exit } from './ports.ts'
export type { Confidence, Kind, State, Verdict } from './session/verdict.ts'
export type { Millis, Offset, Size } from './units.ts'
