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
export { assembleLines, type EditorState, emptyEditor, type LineEvent, mayRun } from './line-assembler.ts'
export { realOf, statOf } from './on-disk.ts'
export { baseName, isAtOrBelow, isBelow, isPattern, matchesPart } from './paths.ts'
export { credentialFiles, guardsInWorkspace, ownPlaces, topFolders } from './places-table.ts'
export { plainWords } from './plain-line.ts'
export { cell, type IsHeld, type PolicyState, type Surroundings } from './policy-state.ts'
export { type OwnPatterns, rulesOfPatterns } from './rules/own-patterns.ts'
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
export { judgeTool, type NamedTool, namedTool, namesOfVerb } from './rules/tool-rules.ts'
export { noTouches, type Touches, touchesOf } from './touches.ts'
export { type Code, type Judgement, judgementOf, nothingFound, strictest } from './verdict.ts'
export { warmUp } from './warm-up.ts'
export { workspaceOf } from './workspace.ts'
