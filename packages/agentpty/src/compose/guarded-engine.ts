/** The engine of a daemon behind its guards: the policy, scopes and leases, and the rules that they go by. */

import { homedir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { makeFolder } from '@agentpty/protocol'
import { approvalKeptMs } from '@agentpty/protocol/approvals'
import { type Call, type CallContext, type Guard, isToolCall } from '@agentpty/protocol/call'
import { olderRunFolders, type Paths } from '@agentpty/protocol/home'
import type { PolicyProfile } from '@agentpty/protocol/policy'
import type { Sandbox } from '@agentpty/protocol/sandbox'
import { withdrawOfEnded } from '@agentpty/server/approvals'
import { type EngineContext, McpClients, Pipeline } from '@agentpty/server/call'
import { EffectApprovals, makeGates, sweepInTime } from '@agentpty/server/effects'
import {
  type PolicyFileSeen,
  PolicyGuard,
  type PolicyGuardOptions,
  type PolicyRulesWatch,
  RulesNews,
  toolsOfCaller,
  watchPolicyRules,
} from '@agentpty/server/policy'
import { keptRecordings } from '@agentpty/server/recordings'
import { type Scopes, scopeGuard } from '@agentpty/server/scopes'
import { configPath } from '@agentpty/server/state'
import { leaseGuard, ownTreeGuard } from '@agentpty/server/terminals'
import { inProfile, joinRules, noRules, profileOf } from '@agentpty/shell-policy'
import { Audit } from './audit.ts'
import type { ClaimOptions } from './claim-state.ts'
import { environmentsFor, environmentsMaxIn } from './gym.ts'
import type { EngineWithoutWalls } from './own-host.ts'
import { devicesOf } from './page.ts'
import { pushesOf } from './pushes.ts'
import { type RulesFor, wallsFor } from './walls.ts'

type Around = Pick<EngineContext, 'clock' | 'home'>

/** The daemon's: those of its user, and of the repositories that its terminals are in. */
function daemonRules(
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
  const { host, clock, approvals, walls, gates } = engine
  return new PolicyGuard({ host, clock, approvals, walls, gates, rulesFor, ...listeners })
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
function compileWellOnceUsed(): Guard {
  let calls = 0
  return () => {
    calls++
    if (calls === callsMin) setFlagsFromString(`--interrupt-budget=${later}`)
  }
}

interface GuardParts extends ClaimOptions {
  readonly scopes: Scopes
}

/** The journal, which records approvals from here on. */
function startJournal(bare: EngineWithoutWalls, { paths, log }: GuardParts): Audit {
  const { host, clock, secrets, approvals } = bare
  const audit = new Audit({ folder: paths.audit, scopes: paths.scopes, host, clock, secrets, log })
  approvals.onChange((approval) => audit.approvalChanged(approval))
  withdrawOfEnded((terminalId) => host.known(terminalId), approvals)
  return audit
}

/** The folders of this agentpty, which no program behind walls sees. */
function ownFolders(paths: Paths, userId: number): readonly string[] {
  const { home, configFolder, stateFolder, runFolder } = paths
  const older = olderRunFolders(process.env, paths, userId)
  return [...(home === null ? [] : [home]), configFolder, stateFolder, runFolder, ...older]
}

/** The gates of its terminals. What they keep stays within its bounds. */
function gatesFor({ host, clock, approvals }: EngineWithoutWalls, parts: GuardParts, rulesFor: RulesFor) {
  const { paths, userId, log } = parts
  makeFolder(paths.undo)
  sweepInTime({ folder: paths.undo, clock, log, isOpen: (terminalId) => host.known(terminalId) !== null })
  return makeGates({
    approvals: new EffectApprovals({ host, approvals, clock, log }),
    requiredIn: (folders) => rulesFor(folders).gate?.value ?? 'off',
    waitMsIn: (folders) => rulesFor(folders).approvalTimeoutMs?.value ?? approvalKeptMs,
    own: ownFolders(paths, userId),
    undo: paths.undo,
  })
}

/** Composes the engine of a daemon with its walls and its journal, and the guards of all calls. Each part is built before those that use it. */
export async function guardedEngine(bare: EngineWithoutWalls, parts: GuardParts) {
  const { paths, scopes, userId, owner, log } = parts
  const { host, clock } = bare
  const audit = startJournal(bare, parts)
  const rulesFor = daemonRules(bare, paths, (file) => audit.policySeen(file))
  const walls = await wallsFor(host, rulesFor, { own: ownFolders(paths, userId), folder: paths.runFolder, userId })
  const gates = gatesFor(bare, parts, rulesFor)
  host.onGateReport(({ info }, message) => audit.effect(info.id, message))
  const devices = devicesOf({ paths, clock, config: bare.config, audit, log })
  const { overview, secrets } = bare
  const pushes = pushesOf({ clock, overview, secrets, paths, config: bare.config, devices, log })
  const environments = await environmentsFor({
    clock,
    folder: join(paths.cacheFolder, 'gym'),
    log,
    environmentsMax: environmentsMaxIn(paths.configFolder, log),
  })
  const engine = {
    ...bare,
    walls,
    gates,
    environments,
    scopeNamed: (name: string) => scopes.byName(name),
    devices,
    pushes,
    journal: audit.records,
    recordings: keptRecordings(paths.recordings),
  }
  const policy = guardBy(rulesFor, engine, {
    noted: audit.noted,
    unjudged: (...difference) => audit.unjudged(...difference),
  })
  audit.beforeWrite((terminalId) => policy.look(terminalId))
  const clients = new McpClients({
    host,
    clock,
    agents: bare.agents,
    keptMs: bare.config.endedClientKeptMs,
    ended: (client) => bare.approvals.withdrawFrom({ client }),
    asking: () => bare.approvals.asking,
  })
  const guards: readonly Guard[] = [
    compileWellOnceUsed(),
    // The verbs that a tool calls are noted one by one.
    (call) => (isToolCall(call) ? undefined : owner.noteCall(call.name)),
    (call) => audit.seesCall(call),
    scopeGuard(host),
    ownTreeGuard(host),
    leaseGuard(engine),
    (call) => policy.check(call),
    clients.follow,
    (call) => audit.begins(call),
  ]
  const pipeline = new Pipeline(guards, audit.journal)
  const news = new RulesNews({ clock, rulesFor })
  const pass = (call: Call) => pipeline.run(call, async () => {})
  return {
    engine,
    audit,
    pipeline,
    clients,
    toolRulesOf: (caller: CallContext) => toolsOfCaller(caller, { rulesFor, news, pass }),
    known: () => ({ audit: audit.status, profile: profileOf(rulesFor([])) }),
  }
}
