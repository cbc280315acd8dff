/** Judges input and programs before they are typed or started. Other modules import this file alone. */

export { countedFiles } from './effects.ts'
export { toolsOfCaller } from './judge-start.ts'
export type { RanUnjudged } from './judge-typing.ts'
export { PolicyGuard, type PolicyGuardOptions } from './policy-guard.ts'
export { policyRoom } from './policy-terminal.ts'
export { loadPolicyRules, type PolicyFileSeen, type PolicyRulesWatch, watchPolicyRules } from './rules-in-use.ts'
export { RulesNews } from './rules-news.ts'
