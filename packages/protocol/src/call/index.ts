export type { CallContext, Permit, PermittedContext } from './call-context.ts'
export { Origin, originOf } from './call-options.ts'
export {
  answerPageName,
  callerName,
  callerWords,
  commandLineName,
  libraryName,
  mcpClientName,
  pageClientName,
} from './caller-name.ts'
export {
  type Call,
  type Guard,
  isToolCall,
  type Journal,
  type JudgedNote,
  type NoteJudged,
  type Outcome,
  partlyDone,
  terminalsOf,
  toolCallInput,
} from './guard.ts'
export { gapLines, joinOutput, outputGaps } from './join-output.ts'
export { type CountedOutput, Observation, type OutputGaps } from './observation.ts'
export {
  Columns,
  type Condition,
  type ConditionKind,
  type Ending,
  parseInput,
  Rows,
  TerminalId,
  TerminalName,
  toConditions,
  WaitFor,
  waitTimeoutMs,
} from './terminal-fields.ts'
export { errorInWordsOf, faceWords, inWordsOf, type WordyFace } from './tool-words.ts'
