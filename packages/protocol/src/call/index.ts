export type { CallContext } from './call-context.ts'
export {
  answerPageName,
  callerName,
  callerWords,
  commandLineName,
  libraryName,
  mcpClientName,
  pageClientName,
} from './caller-name.ts'
export { type Condition, type ConditionKind, type Ending, toConditions, WaitFor } from './conditions.ts'
export { type Call, type Guard, isToolCall, terminalsOf, toolCallInput } from './guard.ts'
export { type CountedOutput, joinOutput } from './join-output.ts'
export type { Journal, JudgedNote, NoteJudged, Outcome } from './journal.ts'
export { Observation } from './observation.ts'
export { Origin, originOf } from './origin.ts'
export { gapLines, type OutputGaps, outputGaps } from './output-gaps.ts'
export { parseInput } from './parse-input.ts'
export { partlyDone } from './partly-done.ts'
export type { Permit, PermittedContext } from './permit.ts'
export { Columns, Rows, TerminalId, TerminalName, waitTimeoutMs } from './terminal-fields.ts'
export { errorInWordsOf, faceWords, inWordsOf, type WordyFace } from './tool-words.ts'
