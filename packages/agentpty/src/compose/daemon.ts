/**
 * Composes the daemon: the engine, the verbs, and every face. It is separate from main.ts, because a command that
 * only asks the daemon must not load it.
 */

import { join } from 'node:path'
import { isoTime, type SeenHost, systemClock } from '@agentpty/engine/host'
import type { GymEnvironments } from '@agentpty/gym'
import { answerPath } from '@agentpty/mcp-http/http'
import { build, type Control, type ServerClient, version } from '@agentpty/protocol'
import { type Call, type CallContext, type Guard, isToolCall } from '@agentpty/protocol/call'
import { olderRunFolders, type Paths } from '@agentpty/protocol/home'
import { isAnyDropped, terminalVariable } from '@agentpty/protocol/session'
import { type ClientHello, type DaemonStatus, type SharedBounds, WireServer } from '@agentpty/protocol/wire'
import { LocalClient, type ServerParts } from '@agentpty/server'
import { withdrawOfEnded } from '@agentpty/server/approvals'
import { type EngineContext, McpClients, Pipeline } from '@agentpty/server/call'
import {
  CallGate,
  closeInherited,
  Daemon,
  LineConnection,
  type ServeFace,
  stopWhenIdle,
  Unsent,
} from '@agentpty/server/daemon'
import { RulesNews, toolsOfCaller } from '@agentpty/server/policy'
import { keptRecordings } from '@agentpty/server/recordings'
import { Scopes, scopeGuard } from '@agentpty/server/scopes'
import { DaemonLog, withSockets } from '@agentpty/server/state'
import { leaseGuard, ownTreeGuard } from '@agentpty/server/terminals'
import { profileOf, warmUp } from '@agentpty/shell-policy'
import { Audit } from './audit.ts'
import { callersOf, peersHere } from './callers.ts'
import { claimState } from './claim-state.ts'
import { goOn, recordAsSet } from './go-on.ts'
import { compileLater, compileWellOnceUsed, daemonRules, guardBy } from './guards.ts'
import { environmentsFor, environmentsMaxIn } from './gym.ts'
import { handlers } from './handlers.ts'
import { openHttp, putUpSignpost } from './http.ts'
import { McpFaces, Toolsets } from './mcp.ts'
import { notifyAsSet } from './notifications.ts'
import { type EngineWithoutWalls, ownHost } from './own-host.ts'
import { devicesOf } from './page.ts'
import { queueParts } from './queued-agents.ts'
import { StateOwner } from './state-owner.ts'
import { wallsFor } from './walls.ts'

/** Runs until it is stopped. False when another daemon has ptyhost: then this one is not needed. */
export async function runDaemon(asked: Paths, userId: number): Promise<boolean> {
  const owner = new StateOwner(asked, log)
  begin(owner)
  try {
    await owner.refuseForeign()
    return await serve(await withSockets(asked, userId), userId, owner)
  } catch (error) {
    owner.endsBecause(`it did not start: ${error instanceof Error ? error.message : String(error)}`, false)
    throw error
  }
}

async function serve(paths: Paths, userId: number, owner: StateOwner): Promise<boolean> {
  const owned = await ownHost(paths, {
    gone: () => owner.endNow('the process that owns the terminals (ptyhost) has ended'),
    claim: (host, gone) => claimState(host, gone, { paths, userId, owner, log }),
    failed: (error) => log(`A pipeline: ${String(error)}`),
    warn: log,
  })
  if (owned === null) return false
  const scopes = new Scopes(paths.scopes, systemClock)
  const guardParts = { paths, scopes, userId, owner }
  const { engine, audit, pipeline, toolRulesOf, known, clients } = await guarded(owned.engine, guardParts)
  owned.engine.approvals.onChange((approval) => audit.approvalChanged(approval))
  const { clock, host } = engine
  withdrawOfEnded((terminalId) => host.known(terminalId), owned.engine.approvals)
  const recordings = recordAsSet(engine, paths, log)
  const toolsets = new Toolsets(queueParts(paths, { host, scopes, clientOf: (caller) => clientOf(caller), log }))
  const shared: SharedBounds = { unsent: new Unsent(log), gate: new CallGate(clock) }
  const parts: ServerParts = {
    handlers,
    pipeline,
    toolset: (name) => toolsets.of(name),
    control: controlOf(() => daemon),
  }
  const clientOf = (caller: CallContext) => new LocalClient(engine, caller, parts)
  const callers = callersOf(engine, { paths, scopes, hostPid: owned.hostPid, pidOf: await peersHere() })
  const mcp: McpFaces = new McpFaces({
    clock,
    toolsets,
    clientOf,
    toolRulesOf,
    callerOf: (hello) => agent(callers.of(hello)),
    ...{ questions: engine.questions, connected: clients.connect },
    pageUrl: () => (http === null ? null : `${http.url}${answerPath}`),
  })
  const http = await openHttp(engine, { mcp, paths, shared, scopes, clientOf, log })
  const signpost = http && (await putUpSignpost(http, owner.startedAt, { engine, log }))
  const daemon: Daemon = new Daemon({
    clock,
    ...identityOf(owner, paths, userId),
    counts: () => ({
      host: { pid: owned.hostPid },
      ...countsOf(host),
      previous: owner.previous,
      ...known(),
      log: daemonLog.problem,
      http: http && { url: http.url, discovery: signpost?.states ?? [] },
    }),
    shutdown: async (options) => {
      signpost?.takeDown()
      for (const one of [engine.devices, clients]) one.close()
      http?.close()
      await Promise.all([toolsets.close(), recordings.close(), endEnvironments(engine)])
      await audit.close(options)
      owner.release()
      return owned.shutdown(options)
    },
    report: log,
    ended: () => process.exit(0),
    faces: facesOf(mcp, (hello) => personOr(callers.of(hello)), { clientOf, shared }),
    admit: callers.admit,
  })
  await daemon.listen()
  goOn(engine, toolsets, { clientOf, log })
  notifyAsSet(engine, paths.configFolder, log)
  endInOrder(daemon, () => isIdle(engine, daemon) && http?.isUsed !== true)
  sayReady()
  return true
}

function begin(owner: StateOwner): void {
  closeInherited()
  surviveOwnStreams()
  compileLater()
  // A rejection that nothing handles arrives here, too.
  process.once('uncaughtException', (error, origin) => {
    const kind = origin === 'unhandledRejection' ? 'a rejection' : 'an error'
    // Its message may hold what a program has printed: that stays in the log.
    owner.endNow(`${kind} that nothing handled; the log has it`, error.stack ?? error.message)
  })
}

const idleReason = 'it was idle: no terminals and no clients for ten minutes'

function controlOf(daemon: () => Daemon): Control {
  return {
    status: async () => daemon().status(),
    stop: ({ all }) => daemon().stop({ all, reason: `a client stopped it${all ? ' with all terminals' : ''}` }),
  }
}

function identityOf(owner: StateOwner, { stateFolder, daemonSocket: socket }: Paths, userId: number) {
  const { startedAt, process: holder } = owner
  return {
    socketPath: socket,
    stateFolder,
    startedAt,
    hello: { version, build, pid: process.pid, owner: { process: holder, userId, stateFolder, socket } },
    checkOwnership: () => owner.check(),
    ending: (reason: string) => owner.endsBecause(reason, true),
  }
}

/** Besides clients over HTTP: one that knows only an address could not start the next daemon. */
function isIdle({ host, pipelines }: EngineContext, daemon: Daemon): boolean {
  const isRunning = pipelines.list(undefined).some(({ state }) => state === 'running')
  return host.sessions.length === 0 && daemon.status().daemon.clients === 0 && !isRunning
}

/** A daemon ends also when something of them cannot be removed; the next one tries again. */
async function endEnvironments({ environments }: { readonly environments: GymEnvironments }): Promise<void> {
  await environments.dispose().catch((error) => log(`Environments: ${String(error)}`))
}

function facesOf(
  mcp: McpFaces,
  callerOf: (hello: ClientHello) => CallContext,
  { clientOf, shared }: { readonly clientOf: (caller: CallContext) => ServerClient; readonly shared: SharedBounds },
): Readonly<Record<ClientHello['face'], ServeFace>> {
  return {
    rpc: (socket, hello, rest) => {
      const connection = new LineConnection(socket, shared)
      const client = clientOf({
        ...callerOf(hello),
        room: (signal) => connection.room(signal),
        onGone: (call) => connection.onGone(call),
      })
      serveWire({ connection, rest, client })
    },
    mcp: (socket, hello, rest) => {
      // An MCP client is an agent. It sees its connection end and asks again; no other client is affected.
      mcp.serve(new LineConnection(socket, shared), hello, rest).catch(() => socket.destroy())
    },
  }
}

function sayReady(): void {
  process.stdout.write('ready\n')
  // Most clients speak MCP: its modules are loaded while they connect.
  void import('@agentpty/mcp-http/mcp').then(() => warmUpInBetween(warmUp()))
}

/** A step at a time, after whatever has come in. */
function warmUpInBetween(steps: Iterator<void>): void {
  setImmediate(() => {
    if (steps.next().done !== true) warmUpInBetween(steps)
  })
}

/** Parts for walls, for the guards of all calls, which use the same rules, and for the journal that they and the pipeline write to. */
interface GuardParts {
  readonly paths: Paths
  readonly scopes: Scopes
  readonly userId: number
  readonly owner: StateOwner
}

async function guarded(bare: EngineWithoutWalls, { paths, scopes, userId, owner }: GuardParts) {
  const { host, clock, secrets } = bare
  const look = (terminalId: string) => policy.look(terminalId)
  const audit: Audit = new Audit({
    ...{ folder: paths.audit, scopes: paths.scopes },
    ...{ host, clock, secrets, log, look },
  })
  const { home, configFolder, stateFolder, runFolder } = paths
  const older = olderRunFolders(process.env, paths, userId)
  const rulesFor = daemonRules(bare, paths, (file) => audit.policySeen(file))
  const own = [...(home === null ? [] : [home]), configFolder, stateFolder, runFolder, ...older]
  const walls = await wallsFor(host, rulesFor, { own, folder: runFolder, userId })
  const devices = devicesOf({ paths, clock, config: bare.config, audit, log })
  const environments = await environmentsFor({
    ...{ clock, folder: join(paths.cacheFolder, 'gym'), log },
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
  const clients = new McpClients({
    ...{ host, clock, agents: bare.agents, keptMs: bare.config.endedClientKeptMs },
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
  const toolRulesOf = (caller: CallContext) => toolsOfCaller(caller, { rulesFor, news, pass })
  return {
    engine,
    audit,
    pipeline,
    toolRulesOf,
    clients,
    known: () => ({ audit: audit.status, profile: profileOf(rulesFor([])) }),
  }
}

const agent = <Caller extends CallContext>(caller: Caller): Caller => ({ ...caller, isPerson: false })

/** A program in one of our terminals is no person, whatever it says. */
function personOr<Caller extends CallContext>(caller: Caller): Caller {
  return { ...caller, isPerson: caller.isPerson === true && caller.env[terminalVariable] === undefined }
}

function countsOf({ sessions }: SeenHost): Pick<DaemonStatus, 'sessions' | 'dropped'> {
  const exited = sessions.filter(({ exit }) => exit !== null).length
  const dropped = sessions
    .map((session) => ({ terminalId: session.info.id, name: session.info.name, dropped: session.dropped }))
    .filter((one) => isAnyDropped(one.dropped))
  return { sessions: { open: sessions.length - exited, exited }, dropped }
}

/** Ends the daemon on a signal, and after some time without work. */
function endInOrder(daemon: Daemon, isIdle: () => boolean): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      log(`Ended by ${signal}. The terminals go on.`)
      void daemon.stop({ all: false, reason: `signal ${signal}` })
    })
  stopWhenIdle({ clock: systemClock, isIdle, stop: () => void daemon.stop({ all: false, reason: idleReason }) })
}

const daemonLog = new DaemonLog({ descriptor: process.stderr.fd, time: () => isoTime(systemClock.wall()) })
const log = (text: string) => daemonLog.write(text)

/** A stream that fails without a handler would end the daemon: its log is on a full disk, or its starter has gone. */
function surviveOwnStreams(): void {
  process.stderr.on('error', (error) => daemonLog.failed(error))
  process.stdout.on('error', () => undefined)
}

interface WireConnection {
  readonly connection: LineConnection
  /** Bytes that have arrived already. */
  readonly rest: Buffer
  readonly client: ServerClient
}

function serveWire({ connection, rest, client }: WireConnection): void {
  const server = new WireServer({
    client,
    send: (message) => connection.send(`${message}\n`),
    room: (signal) => connection.room(signal),
  })
  const line = (text: string) => {
    try {
      return server.receive(text)
    } catch {
      // The client breaks the protocol: nothing it sends after this can be trusted.
      connection.close()
      return undefined
    }
  }
  connection.start(rest, { line, closed: () => server.close() })
}
