export { asPartOf, callInToolset } from './call-in-toolset.ts'
export { errorInDoorWords } from './door-client.ts'
export { inDoorWords } from './door-words.ts'
export { inputJsonSchema } from './json-schema.ts'
export {
  parseToolsets,
  type ToolAnswer,
  type ToolDescription,
  type ToolImage,
  type ToolsetName,
  toolsetNames,
} from './tool.ts'
export type { ToolRules } from './tool-rules.ts'
export type { ToolCall, Toolset } from './toolset.ts'
