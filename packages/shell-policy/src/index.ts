export {
  type EnteredLine,
  type JudgedWrite,
  judge,
  judgeAtPrompt,
  judgeWrite,
  judgeWrites,
  type LineAtPrompt,
  newSession,
  type PolicySession,
  type Situation,
} from './judge.ts'
export { judgeStart, type ProgramStart } from './judge-start.ts'
export { assembleLines, type EditorState, emptyEditor, type LineEvent, mayRun } from './lex/line-assembler.ts'
export { plainWords } from './lex/literals.ts'
export { baseName, isAtOrBelow, isBelow, isPattern, matchesPart, realOf, statOf, workspaceOf } from './places/paths.ts'
export { credentialFiles, guardsInWorkspace, ownPlaces, startFiles, topFolders } from './places/places-table.ts'
export {
  countRules,
  defaultProfile,
  inProfile,
  joinRules,
  noRules,
  type PolicyRules,
  profileOf,
  typingOf,
} from './rules/policy-rules.ts'
export { type ReadRules, readRules, unreadable } from './rules/read-rules.ts'
export {
  judgeTool,
  type NamedTool,
  namedTool,
  namesOfVerb,
  type OwnPatterns,
  rulesOfPatterns,
} from './rules/tool-rules.ts'
export { cell, type GateView, type IsHeld, type PolicyState, type Surroundings } from './state/policy-state.ts'
export { noTouches, type Touches, touchesOf } from './touches.ts'
export { type Code, type Judgement, judgementOf, nothingFound, strictest } from './verdict.ts'
export { warmUp } from './warm-up.ts'
