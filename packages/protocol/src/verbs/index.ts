export type { Effect, Safety, Touches, Verb } from './verb.ts'
export {
  type AwaitedAgent,
  isTypingVerb,
  isVerbName,
  type ListedAgent,
  type ListedTerminal,
  type ParsedVerbInput,
  type ToolVerb,
  type TypingVerb,
  toolVerbs,
  type VerbInput,
  type VerbName,
  type VerbOutput,
  type Verbs,
  verbs,
  type WaitedTerminal,
} from './verbs.ts'
