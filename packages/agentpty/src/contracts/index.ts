/** The words, shapes and limits of agentpty, for those who build on it. */

export type { Client } from './client.ts'
export { type Condition, type ConditionKind, type Ending, WaitFor } from './conditions.ts'
export { type ErrorCode, errorCodes, isTermError, TermError } from './errors.ts'
export { Observation } from './observation.ts'
export type { CallContext, Operation } from './operation.ts'
export {
  type OperationInput,
  type OperationName,
  type OperationOutput,
  type Operations,
  operations,
} from './operations.ts'
export type { Clock, Exit } from './ports.ts'
export type { Millis, Offset, Size } from './units.ts'
export type { Confidence, Kind, State, Verdict } from './verdict.ts'
