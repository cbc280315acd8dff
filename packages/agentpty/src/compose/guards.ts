/** The guards of a server, and the rules that they go by. */

import { homedir } from 'node:os'
import type { Guard } from '../contracts/call/guard.ts'
import type { PolicyProfile } from '../contracts/policy/policy.ts'
import { PolicyGuard, type PolicyGuardOptions } from '../features/guards/policy-guard.ts'
import { inProfile, joinRules, noRules } from '../features/policy/rules/policy-rules.ts'
import { type PolicyFileSeen, type PolicyRulesWatch, watchPolicyRules } from '../features/policy/rules/rules-in-use.ts'
import type { EngineContext } from '../features/verbs/steps/engine-context.ts'
import { typedAtPrompt } from '../features/verbs/steps/prompt-line.ts'
import { configPath } from '../home/load-config.ts'

/** Who is told of what is judged, and of what is not. */
type Told = Required<Pick<PolicyGuardOptions, 'noted' | 'unjudged'>> & { readonly policySeen: PolicyFileSeen }

/** The daemon's: by the rules of its user, and of the repositories that its terminals are in. */
export function daemonGuard(
  engine: EngineContext,
  { configFolder }: { readonly configFolder: string },
  { policySeen, ...told }: Told,
): PolicyGuard {
  const watch = watchRules(engine, configPath(configFolder), policySeen)
  return guardOf(engine, { ...told, rulesFor: (folders) => watch.at(folders).rules })
}

/** A private server's: by the profile that its program names, which repositories may tighten. */
export function privateGuard(engine: EngineContext, profile: PolicyProfile): { guard: Guard; watch: PolicyRulesWatch } {
  const watch = watchRules(engine, '/dev/null')
  const own = inProfile(noRules, profile, { file: 'the program', line: 1 })
  const guard = guardOf(engine, { rulesFor: (folders) => joinRules(own, ...watch.at(folders).repositories) })
  return { guard: (call) => guard.check(call), watch }
}

function watchRules({ clock, home }: EngineContext, path: string, seen?: PolicyFileSeen): PolicyRulesWatch {
  return watchPolicyRules({ configPath: path, home: homedir(), guarded: home === null ? [] : [home] }, clock, seen)
}

function guardOf(
  { host, clock, approvals }: EngineContext,
  more: Pick<PolicyGuardOptions, 'rulesFor' | 'noted' | 'unjudged'>,
): PolicyGuard {
  return new PolicyGuard({ host, clock, approvals, lineAtPrompt: typedAtPrompt, ...more })
}
