/** Composes the library: a private server, or the daemon's. */

import { randomBytes } from 'node:crypto'
import { basename, join } from 'node:path'
import type { CallContext } from '../contracts/call/call-context.ts'
import { libraryName } from '../contracts/call/caller-name.ts'
import { parseInput } from '../contracts/call/parse-input.ts'
import { defined } from '../contracts/defined.ts'
import { resolvePaths } from '../contracts/home/paths.ts'
import type { PolicyProfile } from '../contracts/policy/policy.ts'
import type { TurnCosts } from '../contracts/ports.ts'
import { Sandbox } from '../contracts/sandbox/sandbox.ts'
import type { ServerClient } from '../contracts/server-client.ts'
import { tokenVariable, withoutOwnTerminal } from '../contracts/session/own-terminal.ts'
import { systemClock } from '../engine/host/system-clock.ts'
import { type Approve, approving } from '../faces/library/approving.ts'
import { Session } from '../faces/library/session.ts'
import { Team } from '../faces/library/team.ts'
import { type AddPatterns, type OpenOptions, Terminals } from '../faces/library/terminals.ts'
import { LineWire } from '../faces/wire/line-wire.ts'
import { WireClient } from '../faces/wire/wire-client.ts'
import { messengerOf } from '../server/agents/index.ts'
import { Pipeline } from '../server/call/index.ts'
import { temporaryFolder } from '../server/files/index.ts'
import { LocalClient, privateParts } from '../server/local-client.ts'
import { leaseGuard } from '../server/terminals/index.ts'
import { guardBy, privateRules } from './guards.ts'
import { environmentsFor, environmentsMaxIn } from './gym.ts'
import { handlers } from './handlers.ts'
import { ownHost, packageFile } from './own-host.ts'
import { reachDaemon } from './reach-daemon.ts'
import { wallsFor } from './walls.ts'

export interface Engine {
  readonly client: ServerClient
  /** Rules besides those of the profile, in place of those that were added before. Errors: `invalid_input`. */
  readonly addPatterns: AddPatterns
  /** What knowing whose turn it is has cost so far: samples of programs, and CPU time. */
  turnCosts(): Promise<TurnCosts>
  /** Closes every session and everything it started. */
  close(): Promise<void>
}

/** What a private server lets its callers do. */
export interface ServerOptions {
  /** What is judged how: docs/policy.md. Default `standard`. */
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
  /** The agents are the daemon’s, which people see and which go on; else a private server’s, which end with it. */
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
 * The terminals of this user's daemon, which agents and people share; it is started when there is none, and goes on.
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
  const environments = await environmentsFor({
    clock: systemClock,
    environmentsMax: environmentsMaxIn(resolvePaths(process.env, process.getuid?.() ?? 0).configFolder, warn),
    folder: join(folder, 'gym'),
    log: warn,
  })
  const engine = {
    ...owned.engine,
    walls,
    environments,
    scopeNamed: () => null,
    devices: null,
    journal: null,
    recordings: null,
  }
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

/** Its terminals are not those of the daemon, in one of which this program may run. */
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
