/** Composes the library: a private server, or the daemon's. */

import { randomBytes } from 'node:crypto'
import { basename, join } from 'node:path'
import { systemClock } from '@agentpty/engine/system-clock'
import { defined, type ServerClient, type TurnCosts } from '@agentpty/protocol'
import { approvalKeptMs } from '@agentpty/protocol/approvals'
import { type CallContext, libraryName, parseInput } from '@agentpty/protocol/call'
import { resolvePaths } from '@agentpty/protocol/home'
import type { PolicyProfile } from '@agentpty/protocol/policy'
import { Sandbox } from '@agentpty/protocol/sandbox'
import { tokenVariable, withoutOwnTerminal } from '@agentpty/protocol/session'
import { LineWire, WireClient } from '@agentpty/protocol/wire'
import { LocalClient, privateParts } from '@agentpty/server'
import { messengerOf } from '@agentpty/server/agents'
import { withdrawOfEnded } from '@agentpty/server/approvals'
import { Pipeline } from '@agentpty/server/call'
import { EffectApprovals, makeGates } from '@agentpty/server/effects'
import { temporaryFolder } from '@agentpty/server/files'
import { leaseGuard } from '@agentpty/server/terminals'
import { type Approve, approving } from '../library/approving.ts'
import { Session } from '../library/session.ts'
import { Team } from '../library/team.ts'
import { type AddPatterns, type OpenOptions, Terminals } from '../library/terminals.ts'
import { guardBy, privateRules } from './guarded-engine.ts'
import { environmentsFor, environmentsMaxIn } from './gym.ts'
import { handlers } from './handlers.ts'
import { reachDaemon } from './open-browser.ts'
import { ownHost, packageFile } from './own-host.ts'
import { wallsFor } from './walls.ts'

export interface Engine {
  readonly client: ServerClient
  /** Rules besides those of the profile; they replace the added ones. Errors: `invalid_input`. */
  readonly addPatterns: AddPatterns
  /** The cost of turn detection so far: samples of programs, and CPU time. */
  turnCosts(): Promise<TurnCosts>
  /** Closes every session and everything it started. */
  close(): Promise<void>
}

/** The permissions of a private server's callers. */
export interface ServerOptions {
  /** How calls are judged: docs/policy.md. Default `standard`. */
  readonly profile?: PolicyProfile
  /** The walls around every terminal: docs/security.md. A terminal may ask for stricter ones. Default none. */
  readonly sandbox?: Sandbox
  /** Decides what must be allowed first; without it such a call fails with `needs_approval`. */
  readonly approve?: Approve
}

/** Terminals of a private server, which ends with them. Errors: `host_missing`, `host_gone`. */
export async function openTerminals(options: ServerOptions = {}): Promise<Terminals> {
  const engine = await openEngine(options)
  return new Terminals(
    engine.client,
    () => engine.close(),
    (patterns) => engine.addPatterns(patterns),
  )
}

export interface TeamOptions extends ServerOptions {
  /** The agents belong to the daemon, where people see them and they continue; else to a private server, and end with it. */
  readonly shared?: boolean
}

/** Agents of a private server, or of the daemon. Errors: as {@link openTerminals}, {@link connect}. */
export async function openTeam({ shared = false, ...options }: TeamOptions = {}): Promise<Team> {
  return new Team(shared ? await connect() : await openTerminals(options))
}

/** One terminal on a private server, which ends with it. Errors: as {@link Terminals.open}; `host_missing`, `host_gone`. */
export async function openSession({
  profile,
  approve,
  ...options
}: OpenOptions & ServerOptions = {}): Promise<Session> {
  const terminals = await openTerminals(defined({ profile, approve }))
  try {
    const { id } = await terminals.open(options)
    return new Session(terminals.client, id, () => terminals.close())
  } catch (error) {
    await terminals.close()
    throw error
  }
}

/**
 * The terminals of this user's daemon, which agents and people share; it is started when there is none, and continues.
 * Errors: `daemon_gone` when it does not start.
 */
export async function connect(): Promise<Terminals> {
  const userId = process.getuid?.() ?? 0
  const paths = resolvePaths(process.env, userId)
  const command = [process.execPath, packageFile('bin/agentpty.js'), 'daemon']
  const { client: name, program, cwd, env } = callerContext(`library-${process.pid}-${randomBytes(4).toString('hex')}`)
  const token = process.env[tokenVariable] || undefined
  const { socket } = await reachDaemon(
    { paths, userId, command, mayStart: true },
    defined({ face: 'rpc' as const, client: name, program, cwd, env, token }),
  )
  const client = new WireClient(new LineWire(socket))
  return new Terminals(client, () => client.close())
}

const warn = (text: string) => process.emitWarning(text)

/** A private ptyhost without connections ends soon. */
const privateLingerMs = 1_000

/**
 * Errors: `host_missing` without a ptyhost for this machine, `host_gone` when it cannot be started; `invalid_input` for a sandbox that
 * cannot be.
 */
export async function openEngine({
  profile = 'standard',
  sandbox: asked = false,
  approve,
}: ServerOptions = {}): Promise<Engine> {
  const sandbox = parseInput(Sandbox, asked, { name: 'sandbox', example: { network: ['example.com'] } })
  const temporary = temporaryFolder('agentpty-')
  const folder = temporary.path
  const paths = {
    hostSocket: join(folder, 'ptyhost.sock'),
    lastId: null,
    approvals: null,
    agents: null,
    runs: null,
    home: null,
    configFolder: null,
  }
  const owned = await ownHost(paths, { lingerMs: privateLingerMs, isPrivate: true, gone: () => undefined })
  if (owned === null) throw new Error('the private ptyhost has another owner')
  const { rulesFor, watch } = privateRules(owned.engine, { profile, sandbox })
  const walls = await wallsFor(owned.engine.host, rulesFor, { own: [folder], folder, userId: process.getuid?.() ?? 0 })
  const gates = makeGates({
    approvals: new EffectApprovals({
      host: owned.engine.host,
      approvals: owned.engine.approvals,
      clock: systemClock,
      log: warn,
    }),
    requiredIn: (folders) => rulesFor(folders).gate?.value ?? 'off',
    waitMsIn: (folders) => rulesFor(folders).approvalTimeoutMs?.value ?? approvalKeptMs,
    own: [folder],
    undo: null,
  })
  const environments = await environmentsFor({
    clock: systemClock,
    environmentsMax: environmentsMaxIn(resolvePaths(process.env, process.getuid?.() ?? 0).configFolder, warn),
    folder: join(folder, 'gym'),
    log: warn,
  })
  const engine = {
    ...owned.engine,
    walls,
    gates,
    environments,
    scopeNamed: () => null,
    devices: null,
    pushes: null,
    journal: null,
    recordings: null,
  }
  withdrawOfEnded((terminalId) => engine.host.known(terminalId), engine.approvals)
  const guard = guardBy(rulesFor, engine)
  const parts = { ...privateParts(handlers), pipeline: new Pipeline([leaseGuard(engine), (call) => guard.check(call)]) }
  const client = new LocalClient(engine, privateContext(), parts)
  engine.agents.deliverMessages(messengerOf(engine, (caller) => new LocalClient(engine, caller, parts)))
  return {
    client: approve === undefined ? client : approving(client, approve),
    addPatterns: (patterns) => watch.add(patterns, 'the program'),
    turnCosts: () => owned.engine.host.turnCosts(),
    close: async () => {
      await environments.dispose()
      await owned.shutdown({ all: true })
      await temporary.remove()
    },
  }
}

/** Returns the caller without its own terminal, which belongs to the daemon and not to a private server. */
function privateContext(): CallContext {
  const context = callerContext('library')
  return { ...context, env: withoutOwnTerminal(context.env) }
}

/** The caller, when it is this process. */
function callerContext(client: string): CallContext {
  const env = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const [, script] = process.argv
  const program = libraryName(script === undefined ? null : basename(script))
  return { client, program, cwd: process.cwd(), env: Object.fromEntries(env) }
}
