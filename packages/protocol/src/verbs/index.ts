export { isTypingVerb, type TypingVerb } from './typing-verbs.ts'
export type { Effect, Safety, Touches, Verb } from './verb.ts'
export {
  isVerbName,
  type ParsedVerbInput,
  type ToolVerb,
  toolVerbs,
  type VerbInput,
  type VerbName,
  type VerbOutput,
  type Verbs,
  verbs,
} from './verbs.ts'
