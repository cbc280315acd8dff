export {
  type OpenPolicyTerminal,
  type PolicyAnswer,
  type PolicyLine,
  type PolicyProfile,
  type PolicyShell,
  type PolicySituation,
  type PolicyVerdict,
  parsePolicyLine,
  policyProfiles,
  policyShells,
} from './policy.ts'
export type { PolicyFileKind, PolicyFileState, PolicyProblem, RuleSource } from './policy-files.ts'
export type { KeptTool, OfferedTool, PolicyRoom } from './policy-room.ts'
export { policyVerdicts, type TypingKind, typingKinds } from './rules.ts'
export { readWrittenPolicy, type Written, type WrittenPolicy } from './written-policy.ts'
