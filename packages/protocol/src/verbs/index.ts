export type { Effect, Safety, Touches, Verb } from './verb.ts'
export {
  isTypingVerb,
  isVerbName,
  type ParsedVerbInput,
  type ToolVerb,
  type TypingVerb,
  toolVerbs,
  type VerbInput,
  type VerbName,
  type VerbOutput,
  type Verbs,
  verbs,
} from './verbs.ts'
