/** The words, shapes and limits of agentpty, for those who build on it. */

export type { Client, Clock, Exit, Millis, Offset, Size } from '@agentpty/protocol'
export { type ErrorCode, errorCodes, isTermError, TermError } from '@agentpty/protocol'
export type { CallContext } from '@agentpty/protocol/call'
export { type Condition, type ConditionKind, type Ending, Observation, WaitFor } from '@agentpty/protocol/call'
export type { Confidence, Kind, State, Verdict } from '@agentpty/protocol/session'
export type { Verb, Verb as Operation } from '@agentpty/protocol/verbs'
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
} from '@agentpty/protocol/verbs'
