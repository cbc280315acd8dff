/**
 * Composes the daemon: the engine, the verbs, and every face. It is separate from main.ts, because a command that
 * only asks the daemon must not load it.
 *
 * The file reads downwards: every part is above the part that uses it, and {@link runDaemon} is last.
 */

import type { Host, SeenHost } from '@agentpty/engine/host'
import { isoTime, systemClock } from '@agentpty/engine/system-clock'
import type { GymEnvironments } from '@agentpty/gym'
import { build, type Control, version } from '@agentpty/protocol'
import type { CallContext } from '@agentpty/protocol/call'
import type { Paths } from '@agentpty/protocol/home'
import { isAnyDropped } from '@agentpty/protocol/session'
import type { DaemonStatus, SharedBounds } from '@agentpty/protocol/wire'
import { LocalClient, type ServerParts } from '@agentpty/server'
import type { EngineContext } from '@agentpty/server/call'
import { CallGate, closeInherited, Daemon, stopWhenIdle, Unsent } from '@agentpty/server/daemon'
import { Scopes } from '@agentpty/server/scopes'
import { DaemonLog, withSockets } from '@agentpty/server/state'
import { warmUp } from '@agentpty/shell-policy'
import { callersOf, peersHere } from './callers.ts'
import { claimState } from './claim-state.ts'
import { asAgent, facesOf } from './faces.ts'
import { goOn, recordAsSet } from './go-on.ts'
import { compileLater, guardedEngine } from './guarded-engine.ts'
import { handlers } from './handlers.ts'
import { openHttp, putUpSignpost } from './http.ts'
import { McpFaces, Toolsets } from './mcp.ts'
import { notifyAsSet } from './notifications.ts'
import { ownHost } from './own-host.ts'
import { queueParts } from './queued-agents.ts'
import { StateOwner } from './state-owner.ts'

const daemonLog = new DaemonLog({ descriptor: process.stderr.fd, time: () => isoTime(systemClock.wall()) })
const log = (text: string) => daemonLog.write(text)

/** A stream that fails without a handler would end the daemon: its log is on a full disk, or its starter has gone. */
function surviveOwnStreams(): void {
  process.stderr.on('error', (error) => daemonLog.failed(error))
  process.stdout.on('error', () => undefined)
}

/** Prepares the process, before it owns any state. */
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

function controlOf(daemon: Daemon): Control {
  return {
    status: async () => daemon.status(),
    stop: ({ all }) => daemon.stop({ all, reason: `a client stopped it${all ? ' with all terminals' : ''}` }),
  }
}

function countsOf({ sessions }: SeenHost): Pick<DaemonStatus, 'sessions' | 'dropped'> {
  const exited = sessions.filter(({ exit }) => exit !== null).length
  const dropped = sessions
    .map((session) => ({ terminalId: session.info.id, name: session.info.name, dropped: session.dropped }))
    .filter((one) => isAnyDropped(one.dropped))
  return { sessions: { open: sessions.length - exited, exited }, dropped }
}

/** A daemon ends also when something of them cannot be removed; the next one tries again. */
async function endEnvironments({ environments }: { readonly environments: GymEnvironments }): Promise<void> {
  await environments.dispose().catch((error) => log(`Environments: ${String(error)}`))
}

/** Besides clients over HTTP: one that knows only an address could not start the next daemon. */
function isIdle({ host, pipelines }: EngineContext, daemon: Daemon): boolean {
  const isRunning = pipelines.list(undefined).some(({ state }) => state === 'running')
  return host.sessions.length === 0 && daemon.status().daemon.clients === 0 && !isRunning
}

const idleReason = 'it was idle: no terminals and no clients for ten minutes'

/** Ends the daemon on a signal, and after some time without work. */
function endInOrder(daemon: Daemon, isUnused: () => boolean): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      log(`Ended by ${signal}. The terminals go on.`)
      void daemon.stop({ all: false, reason: `signal ${signal}` })
    })
  const stop = () => void daemon.stop({ all: false, reason: idleReason })
  stopWhenIdle({ clock: systemClock, isIdle: isUnused, stop })
}

/** A step at a time, after whatever has come in. */
function warmUpInBetween(steps: Iterator<void>): void {
  setImmediate(() => {
    if (steps.next().done !== true) warmUpInBetween(steps)
  })
}

/** The first line is judged as fast as later ones: the policy warms up while the first terminal starts. */
function warmUpWithFirstTerminal(host: Pick<Host, 'sessions' | 'onChange'>): void {
  const start = () => warmUpInBetween(warmUp())
  if (host.sessions.length > 0) start()
  else {
    const stop = host.onChange(() => {
      stop()
      start()
    })
  }
}

/** False when another daemon owns the terminals. */
async function serve(paths: Paths, userId: number, owner: StateOwner): Promise<boolean> {
  const owned = await ownHost(paths, {
    gone: () => owner.endNow('the process that owns the terminals (ptyhost) has ended'),
    claim: (host, gone) => claimState(host, gone, { paths, userId, owner, log }),
    failed: (error) => log(`A pipeline: ${String(error)}`),
    warn: log,
  })
  if (owned === null) return false
  const scopes = new Scopes(paths.scopes, systemClock)
  const guarded = await guardedEngine(owned.engine, { paths, scopes, userId, owner, log })
  const { engine, audit, pipeline, clients, toolRulesOf } = guarded
  const { clock, host } = engine
  const recordings = recordAsSet(engine, paths, log)
  const daemon = new Daemon({
    ...identityOf(owner, paths, userId),
    clock,
    report: log,
    ended: () => process.exit(0),
  })
  const toolsets = new Toolsets()
  const parts: ServerParts = {
    handlers,
    pipeline,
    control: controlOf(daemon),
    toolset: (name) => toolsets.of(name),
  }
  const clientOf = (caller: CallContext) => new LocalClient(engine, caller, parts)
  toolsets.keepQueue(queueParts(paths, { host, scopes, clientOf, log }))
  const callers = callersOf(engine, { paths, scopes, hostPid: owned.hostPid, pidOf: await peersHere() })
  const mcp = new McpFaces({
    clock,
    toolsets,
    clientOf,
    toolRulesOf,
    questions: engine.questions,
    connected: clients.connect,
    callerOf: (hello) => asAgent(callers.of(hello)),
  })
  const shared: SharedBounds = { unsent: new Unsent(log), gate: new CallGate(clock) }
  const http = await openHttp(engine, { mcp, paths, shared, scopes, clientOf, log })
  const signpost = http && (await putUpSignpost(http, owner.startedAt, { engine, log }))
  await daemon.listen({
    admit: callers.admit,
    faces: facesOf({ mcp, callerOf: callers.of, clientOf, shared }),
    counts: () => ({
      ...countsOf(host),
      ...guarded.known(),
      host: { pid: owned.hostPid },
      previous: owner.previous,
      log: daemonLog.problem,
      http: http && { url: http.url, discovery: signpost?.states ?? [] },
    }),
    shutdown: async (options) => {
      signpost?.takeDown()
      for (const one of [engine.devices, engine.pushes, clients]) one.close()
      http?.close()
      await Promise.all([toolsets.close(), recordings.close(), endEnvironments(engine)])
      await audit.close(options)
      owner.release()
      return owned.shutdown(options)
    },
  })
  goOn(engine, toolsets, { clientOf, log })
  notifyAsSet(engine, paths.configFolder, log)
  endInOrder(daemon, () => isIdle(engine, daemon) && http?.isUsed !== true)
  process.stdout.write('ready\n')
  warmUpWithFirstTerminal(host)
  return true
}

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
