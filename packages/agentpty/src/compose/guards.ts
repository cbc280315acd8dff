/** The guards of a server, and the rules that they go by. */

import { homedir } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import type { Guard } from '@agentpty/protocol/call'
import type { PolicyProfile } from '@agentpty/protocol/policy'
import type { Sandbox } from '@agentpty/protocol/sandbox'
import type { EngineContext } from '@agentpty/server/call'
import {
  type PolicyFileSeen,
  PolicyGuard,
  type PolicyGuardOptions,
  type PolicyRulesWatch,
  watchPolicyRules,
} from '@agentpty/server/policy'
import { configPath } from '@agentpty/server/state'
import { inProfile, joinRules, noRules, type PolicyRules } from '@agentpty/shell-policy'

/** Returns the rules of all of these folders together; the same object until something changes. */
export type RulesFor = (folders: readonly string[]) => PolicyRules

type Around = Pick<EngineContext, 'clock' | 'home'>

/** The daemon's: those of its user, and of the repositories that its terminals are in. */
export function daemonRules(
  around: Around,
  { configFolder }: { readonly configFolder: string },
  seen: PolicyFileSeen,
): RulesFor {
  const watch = watchRules(around, configPath(configFolder), seen)
  return (folders) => watch.at(folders).rules
}

interface PrivateRules {
  readonly profile: PolicyProfile
  readonly sandbox: Sandbox
}

/** A private server's: those that its program names, which repositories may tighten. */
export function privateRules(
  around: Around,
  { profile, sandbox }: PrivateRules,
): { readonly rulesFor: RulesFor; readonly watch: PolicyRulesWatch } {
  const watch = watchRules(around, '/dev/null')
  const source = { file: 'the program', line: 1 }
  const own = { ...inProfile(noRules, profile, source), sandboxes: [{ value: sandbox, source }] }
  return { rulesFor: (folders) => joinRules(own, ...watch.at(folders).repositories), watch }
}

function watchRules({ clock, home }: Around, path: string, seen?: PolicyFileSeen): PolicyRulesWatch {
  return watchPolicyRules({ configPath: path, home: homedir(), guarded: home === null ? [] : [home] }, clock, seen)
}

/** Callbacks for judged and for unjudged calls. */
type GuardListeners = Pick<PolicyGuardOptions, 'noted' | 'unjudged'>

export function guardBy(rulesFor: RulesFor, engine: EngineContext, listeners: GuardListeners = {}): PolicyGuard {
  const { host, clock, approvals, walls } = engine
  return new PolicyGuard({ host, clock, approvals, walls, rulesFor, ...listeners })
}

// Bytes of bytecode that a function runs through before V8 looks at it. Floods, which do loop, pass three times the first immediately.
const atFirst = 400_000
const later = 20_000
const callsMin = 400 // until then most functions are called for the first times; a tool’s call is two

/**
 * When V8 compiles the daemon's functions well. They are called often, and rarely in loops: at its own threshold, in the first thousand
 * calls it spends more on compiling each of them than they need themselves. A long-running daemon recovers that cost many times over.
 */
export function compileLater(): void {
  setFlagsFromString(`--interrupt-budget=${atFirst}`)
  // Between two calls the processor forgets what it has interpreted; plain machine code is less to fetch.
  setFlagsFromString('--always-sparkplug')
}

/** Refuses nothing: it counts. */
export function compileWellOnceUsed(): Guard {
  let calls = 0
  return () => {
    calls++
    if (calls === callsMin) setFlagsFromString(`--interrupt-budget=${later}`)
  }
}
