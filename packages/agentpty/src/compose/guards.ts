/** The guards of a server. */

import type { Guard } from '../contracts/call/guard.ts'
import type { PolicyProfile } from '../contracts/policy/policy.ts'
import { typingRules } from '../features/guards/judge-typing.ts'
import { policyGuard } from '../features/guards/policy-guard.ts'
import type { EngineContext } from '../features/verbs/steps/engine-context.ts'
import { typedAtPrompt } from '../features/verbs/steps/prompt-line.ts'

export function guardOf({ host, clock, approvals }: EngineContext, profile: PolicyProfile): Guard {
  const rulesFor = () => ({ profile, typing: typingRules[profile] })
  return policyGuard({ host, clock, approvals, rulesFor, lineAtPrompt: typedAtPrompt })
}
