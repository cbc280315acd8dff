export {
  type OpenPolicyTerminal,
  type PolicyAnswer,
  type PolicyFileKind,
  type PolicyFileState,
  type PolicyLine,
  type PolicyProblem,
  type PolicyProfile,
  type PolicyShell,
  type PolicySituation,
  type PolicyVerdict,
  parsePolicyLine,
  policyProfiles,
  policyShells,
  type RuleSource,
} from './policy.ts'
export type { KeptTool, OfferedTool, PolicyRoom } from './policy-room.ts'
export { policyVerdicts, type TypingKind, typingKinds } from './rules.ts'
export { readWrittenPolicy, type Written, type WrittenPolicy } from './written-policy.ts'
