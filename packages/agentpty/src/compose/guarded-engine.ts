/** Composes the engine of a daemon with its walls and its journal, and the guards of all calls. Each part is built before those that use it. */

import { join } from 'node:path'
import { type Call, type CallContext, type Guard, isToolCall } from '@agentpty/protocol/call'
import { olderRunFolders, type Paths } from '@agentpty/protocol/home'
import { withdrawOfEnded } from '@agentpty/server/approvals'
import { McpClients, Pipeline } from '@agentpty/server/call'
import { RulesNews, toolsOfCaller } from '@agentpty/server/policy'
import { keptRecordings } from '@agentpty/server/recordings'
import { type Scopes, scopeGuard } from '@agentpty/server/scopes'
import { leaseGuard, ownTreeGuard } from '@agentpty/server/terminals'
import { profileOf } from '@agentpty/shell-policy'
import { Audit } from './audit.ts'
import { compileWellOnceUsed, daemonRules, guardBy } from './guards.ts'
import { environmentsFor, environmentsMaxIn } from './gym.ts'
import type { EngineWithoutWalls } from './own-host.ts'
import { devicesOf } from './page.ts'
import type { StateOwner } from './state-owner.ts'
import { wallsFor } from './walls.ts'

export interface GuardParts {
  readonly paths: Paths
  readonly scopes: Scopes
  readonly userId: number
  readonly owner: StateOwner
  readonly log: (text: string) => void
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

export async function guardedEngine(bare: EngineWithoutWalls, parts: GuardParts) {
  const { paths, scopes, userId, owner, log } = parts
  const { host, clock } = bare
  const audit = startJournal(bare, parts)
  const rulesFor = daemonRules(bare, paths, (file) => audit.policySeen(file))
  const walls = await wallsFor(host, rulesFor, { own: ownFolders(paths, userId), folder: paths.runFolder, userId })
  const devices = devicesOf({ paths, clock, config: bare.config, audit, log })
  const environments = await environmentsFor({
    clock,
    folder: join(paths.cacheFolder, 'gym'),
    log,
    environmentsMax: environmentsMaxIn(paths.configFolder, log),
  })
  const engine = {
    ...bare,
    walls,
    environments,
    scopeNamed: (name: string) => scopes.byName(name),
    devices,
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
