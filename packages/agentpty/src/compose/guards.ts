/** The guards of a server, and the rules that they go by. */

import { homedir } from 'node:os'
import type { Guard } from '../contracts/call/guard.ts'
import type { PolicyProfile } from '../contracts/policy/policy.ts'
import { policyGuard } from '../features/guards/policy-guard.ts'
import { inProfile, joinRules, noRules } from '../features/policy/rules/policy-rules.ts'
import { type PolicyRulesWatch, watchPolicyRules } from '../features/policy/rules/rules-in-use.ts'
import type { EngineContext } from '../features/verbs/steps/engine-context.ts'
import { typedAtPrompt } from '../features/verbs/steps/prompt-line.ts'
import { configPath } from '../home/load-config.ts'

/** The daemon's: by the rules of its user, and of the repositories that its terminals are in. */
export function daemonGuard(engine: EngineContext, { configFolder }: { readonly configFolder: string }): Guard {
  const watch = watchRules(engine, configPath(configFolder))
  return guardOf(engine, (folders) => watch.at(folders).rules)
}

/** A private server's: by the profile that its program names, which repositories may tighten. */
export function privateGuard(engine: EngineContext, profile: PolicyProfile): { guard: Guard; watch: PolicyRulesWatch } {
  const watch = watchRules(engine, '/dev/null')
  const own = inProfile(noRules, profile, { file: 'the program', line: 1 })
  return { guard: guardOf(engine, (folders) => joinRules(own, ...watch.at(folders).repositories)), watch }
}

function watchRules({ clock, home }: EngineContext, path: string): PolicyRulesWatch {
  return watchPolicyRules({ configPath: path, home: homedir(), guarded: home === null ? [] : [home] }, clock)
}

function guardOf(engine: EngineContext, rulesFor: Parameters<typeof policyGuard>[0]['rulesFor']): Guard {
  const { host, clock, approvals } = engine
  return policyGuard({ host, clock, approvals, rulesFor, lineAtPrompt: typedAtPrompt })
}
