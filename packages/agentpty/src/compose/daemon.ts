/**
 * Composes the daemon: the engine, the verbs, and every face. It is separate from main.ts, because a command that
 * only asks the daemon must not load it.
 */

import { join } from 'node:path'
import type { CallContext } from '../contracts/call/call-context.ts'
import type { Call, Guard } from '../contracts/call/guard.ts'
import type { Client } from '../contracts/client.ts'
import type { Paths } from '../contracts/home/paths.ts'
import { isAnyDropped } from '../contracts/session/dropped.ts'
import { terminalVariable } from '../contracts/session/own-terminal.ts'
import { build, version } from '../contracts/version.ts'
import type { DaemonStatus } from '../contracts/wire/daemon.ts'
import type { ClientHello } from '../contracts/wire/handshake.ts'
import type { SharedBounds } from '../contracts/wire/shared-bounds.ts'
import type { SeenHost } from '../engine/host/seen-host.ts'
import { isoTime, systemClock } from '../engine/host/system-clock.ts'
import { CallGate } from '../faces/daemon/call-gate.ts'
import { Daemon, type ServeFace } from '../faces/daemon/daemon.ts'
import { LineConnection } from '../faces/daemon/line-connection.ts'
import { stopWhenIdle } from '../faces/daemon/stop-when-idle.ts'
import { Unsent } from '../faces/daemon/unsent.ts'
import { answerPath } from '../faces/http/answer-page.ts'
import { WireServer } from '../faces/wire/wire-server.ts'
import { Pipeline } from '../features/call/pipeline.ts'
import { toolsOfCaller } from '../features/guards/caller-tools.ts'
import { leaseGuard } from '../features/guards/lease-guard.ts'
import { ownTreeGuard } from '../features/guards/own-tree-guard.ts'
import { RulesNews } from '../features/guards/rules-news.ts'
import { scopeGuard } from '../features/guards/scope-guard.ts'
import type { GymEnvironments } from '../features/gym/environments.ts'
import { LocalClient, type ServerParts } from '../features/local-client.ts'
import { warmUp } from '../features/policy/warm-up.ts'
import type { EngineContext } from '../features/verbs/steps/engine-context.ts'
import { keptRecordings } from '../home/kept-recordings.ts'
import { ensurePrivateFolder } from '../home/private-folder.ts'
import { Scopes } from '../home/scope-tokens.ts'
import { Audit } from './audit.ts'
import { callersOf, peersHere } from './callers.ts'
import { compileLater, compileWellOnceUsed } from './compiling.ts'
import { goOn } from './go-on.ts'
import { daemonRules, guardBy } from './guards.ts'
import { environmentsFor, environmentsMaxIn } from './gym.ts'
import { openHttp, putUpSignpost } from './http.ts'
import { McpFaces, Toolsets } from './mcp.ts'
import { notifyAsSet } from './notifications.ts'
import { type EngineWithoutWalls, ownHost } from './own-host.ts'
import { devicesOf } from './page.ts'
import { queueParts } from './queued-agents.ts'
import { recordAsSet } from './recordings.ts'
import { wallsFor } from './walls.ts'

/** Runs until it is stopped. False when another daemon has ptyhost: then this one is not needed. */
export async function runDaemon(paths: Paths, userId: number): Promise<boolean> {
  begin(paths, userId)
  const owned = await ownHost(paths, {
    gone: () => endSaying('The process that owns the terminals (ptyhost) has ended.'),
    approvalChanged: (approval) => audit.approvalChanged(approval),
    failed: (error) => log(`A pipeline: ${String(error)}`),
    told: log,
  })
  if (owned === null) return false
  const scopes = new Scopes(paths.scopes, systemClock)
  const { engine, audit, pipeline, toolRulesOf } = await guarded(owned.engine, { paths, scopes, userId })
  const { clock, host } = engine
  const [recordings, startedAt] = [recordAsSet(engine, paths, log), isoTime(clock.wall())]
  const toolsets = new Toolsets(queueParts(paths, { host, scopes, clientOf: (caller) => clientOf(caller), log }))
  const shared: SharedBounds = { unsent: new Unsent(log), gate: new CallGate(clock) }
  const parts: ServerParts = {
    pipeline,
    toolset: (name) => toolsets.of(name),
    control: { status: async () => daemon.status(), stop: (options) => daemon.stop(options) },
  }
  const clientOf = (caller: CallContext) => new LocalClient(engine, caller, parts)
  const callers = callersOf(engine, { paths, scopes, hostPid: owned.hostPid, pidOf: await peersHere() })
  const mcp: McpFaces = new McpFaces({
    clock,
    toolsets,
    clientOf,
    toolRulesOf,
    callerOf: (hello) => agent(callers.of(hello)),
    questions: engine.questions,
    pageUrl: () => (http === null ? null : `${http.url}${answerPath}`),
  })
  const http = await openHttp(engine, { mcp, paths, shared, scopes, clientOf, log })
  const signpost = http && (await putUpSignpost(http, startedAt, { engine, log }))
  const daemon: Daemon = new Daemon({
    clock,
    socketPath: paths.daemonSocket,
    hello: { version, build, pid: process.pid },
    startedAt,
    counts: () => ({
      host: { pid: owned.hostPid },
      ...countsOf(host),
      audit: audit.status,
      http: http && { url: http.url, discovery: signpost?.states ?? [] },
    }),
    shutdown: async (options) => {
      signpost?.takeDown()
      engine.devices.close()
      http?.close()
      await Promise.all([toolsets.close(), recordings.close(), endEnvironments(engine)])
      await audit.close(options)
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
  stopOnSignals(daemon)
  stopWhenIdle({
    clock,
    isIdle: () => isIdle(engine, daemon) && http?.isUsed !== true,
    stop: () => void daemon.stop({ all: false }),
  })
  sayReady()
  return true
}

function begin({ runFolder }: Paths, userId: number): void {
  compileLater()
  ensurePrivateFolder(runFolder, userId)
  process.once('uncaughtException', (error) => endSaying(error.stack ?? error.message))
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
  { clientOf, shared }: { readonly clientOf: (caller: CallContext) => Client; readonly shared: SharedBounds },
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
      // Who speaks MCP is an agent. It sees its connection end and asks again; nobody else is harmed.
      mcp.serve(new LineConnection(socket, shared), hello, rest).catch(() => socket.destroy())
    },
  }
}

function sayReady(): void {
  process.stdout.write('ready\n')
  // Most clients speak MCP: its modules are loaded while they connect.
  void import('../faces/mcp/mcp-server.ts').then(() => warmUpInBetween(warmUp()))
}

/** A step at a time, after whatever has come in. */
function warmUpInBetween(steps: Iterator<void>): void {
  setImmediate(() => {
    if (steps.next().done !== true) warmUpInBetween(steps)
  })
}

/** With walls and the guards of all calls, which go by the same rules; and the journal that they and the pipeline tell. */
interface GuardParts {
  readonly paths: Paths
  readonly scopes: Scopes
  readonly userId: number
}

async function guarded(bare: EngineWithoutWalls, { paths, scopes, userId }: GuardParts) {
  const { host, clock, secrets } = bare
  const look = (terminalId: string) => policy.look(terminalId)
  const audit: Audit = new Audit({
    ...{ folder: paths.audit, scopes: paths.scopes },
    ...{ host, clock, secrets, log, look },
  })
  const { home, configFolder, stateFolder, runFolder } = paths
  const rulesFor = daemonRules(bare, paths, (file) => audit.policySeen(file))
  const own = [...(home === null ? [] : [home]), configFolder, stateFolder, runFolder]
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
  const guards: readonly Guard[] = [
    compileWellOnceUsed(),
    (call) => audit.seesCall(call),
    scopeGuard(host),
    ownTreeGuard(host),
    leaseGuard(engine),
    (call) => policy.check(call),
    (call) => audit.begins(call),
  ]
  const pipeline = new Pipeline(guards, audit.journal)
  const news = new RulesNews({ clock, rulesFor })
  const pass = (call: Call) => pipeline.run(call, async () => {})
  const toolRulesOf = (caller: CallContext) => toolsOfCaller(caller, { rulesFor, news, pass })
  return { engine, audit, pipeline, toolRulesOf }
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

function stopOnSignals(daemon: Daemon): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      log(`Ended by ${signal}. The terminals go on.`)
      void daemon.stop({ all: false })
    })
}

/** Standard error is the daemon's log. */
function log(text: string): void {
  process.stderr.write(`${isoTime(systemClock.wall())} ${text}\n`)
}

/** Only the log shows why a daemon has ended. The next call starts another. */
function endSaying(why: string): never {
  log(`The daemon ends: ${why}`)
  process.exit(1)
}

interface WireConnection {
  readonly connection: LineConnection
  /** Bytes that have arrived already. */
  readonly rest: Buffer
  readonly client: Client
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
