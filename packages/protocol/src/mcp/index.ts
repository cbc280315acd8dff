export { asPartOf, callInToolset } from './call-in-toolset.ts'
export { errorInDoorWords, inDoorWords } from './door-words.ts'
export {
  inputJsonSchema,
  parseToolsets,
  type ToolAnswer,
  type ToolDescription,
  type ToolImage,
  type ToolsetName,
  toolsetNames,
} from './tool.ts'
export type { ToolCall, ToolRules, Toolset } from './toolset.ts'
