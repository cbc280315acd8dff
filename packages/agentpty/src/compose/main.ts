/**
 * The program: `agentpty COMMAND`. It composes the faces and the engine; each command loads only what it needs, because
 * an agent waits while it starts.
 */

import { randomBytes } from 'node:crypto'
import { readlinkSync, realpathSync, writeFileSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { join, sep } from 'node:path'
import type { ConnectOptions } from '@agentpty/cli'
import { isoTime, systemClock } from '@agentpty/engine/host'
import { build, daemonTakeoverMsMax, defined, TermError, version } from '@agentpty/protocol'
import { commandLineName } from '@agentpty/protocol/call'
import { instanceVariables, resolvePaths } from '@agentpty/protocol/home'
import { parseToolsets, type ToolsetName, toolsetNames } from '@agentpty/protocol/mcp'
import { terminalVariable, tokenVariable } from '@agentpty/protocol/session'
import type { DoctorOptions, RegistrationRequest } from '@agentpty/protocol/setup'
import type { ClientHello } from '@agentpty/protocol/wire'
import { writeRefusal } from '@agentpty/server/daemon'
import { configPath, httpToken, readConfigFile } from '@agentpty/server/state'
import { ownerOnly, reachDaemon } from './open-browser.ts'
import { ownCommand } from './own-command.ts'

/** A daemon starts within half a second, and within three under load. */
const longStartMs = 3_000
/** For commands of people a notice comes later, because it is a line among their output. */
const longCommandMs = 5_000

const userId = process.getuid?.() ?? 0
const paths = resolvePaths(process.env, userId)

/** The files in which rules of the policy may be written. */
const policyPlaces = {
  configPath: configPath(paths.configFolder),
  home: homedir(),
  guarded: paths.home === null ? [] : [paths.home],
}

/** The environment without the token, which no terminal gets. */
function ownEnvironment(): Readonly<Record<string, string>> {
  const { [tokenVariable]: _, ...env } = process.env
  const set = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return Object.fromEntries(set)
}

function helloOf(face: ClientHello['face'], token = process.env[tokenVariable] || undefined): ClientHello {
  const client = `${face}-${process.pid}-${randomBytes(4).toString('hex')}`
  const program = face === 'rpc' ? commandLineName(userName(), terminalName()) : undefined
  return defined({ face, client, program, cwd: process.cwd(), env: ownEnvironment(), token })
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    // A user without an entry in the table of users, as in some containers.
    return String(userId)
  }
}

/** Null in a pipe, and where the system does not report it. */
function terminalName(): string | null {
  if (!process.stdin.isTTY) return null
  try {
    return readlinkSync('/proc/self/fd/0').replace(/^\/dev\//, '')
  } catch {
    // Only Linux has it there.
    return null
  }
}

async function connect(hello: ClientHello, mayStart: boolean, signal?: AbortSignal) {
  const command = [process.execPath, process.argv[1] ?? '', 'daemon']
  return reachDaemon(defined({ paths, userId, command, mayStart, signal }), hello)
}

async function serveMcp(toolsets?: readonly ToolsetName[]): Promise<void> {
  const { McpProxy } = await import('@agentpty/mcp-http/mcp-proxy')
  const hello = defined({ ...helloOf('mcp'), toolsets })
  const proxy = new McpProxy({
    input: process.stdin,
    output: process.stdout,
    connect: async () => (await sayIfSlow(connect(hello, true))).socket,
    clock: systemClock,
    toolset: toolsets?.includes('terminal') === true ? 'terminal' : (toolsets?.[0] ?? 'terminal'),
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0))
  await proxy.run()
  process.exit(0)
}

/** A line on standard error says why the start takes long. */
async function sayIfSlow<Result>(connecting: Promise<Result>, afterMs = longStartMs): Promise<Result> {
  const wait = 'agentpty: the daemon takes long to start; still waiting. If it never does, run: agentpty doctor\n'
  const cancelTimer = systemClock.callAt(systemClock.now() + afterMs, () => void process.stderr.write(wait))
  try {
    return await connecting
  } finally {
    cancelTimer()
  }
}

interface ConnectRequest extends ConnectOptions {
  /** The token, in place of the environment's. */
  readonly token?: string
  readonly signal?: AbortSignal
}

const connectRpc = (request: ConnectRequest) => sayIfSlow(connectDoctor(request), longCommandMs)

/** The doctor reports itself what takes long. */
async function connectDoctor({ mayStart, isPerson, asksPerson, signal, token }: ConnectRequest) {
  const [{ WireClient }, { LineWire }] = await Promise.all([
    import('@agentpty/protocol/wire'),
    import('@agentpty/protocol/wire'),
  ])
  return new WireClient(
    new LineWire((await connect(defined({ ...helloOf('rpc', token), isPerson, asksPerson }), mayStart, signal)).socket),
  )
}

/** Loaded only when needed: its modules take longer to load than everything an MCP client waits for. */
async function ownConfig() {
  const { explainConfig, readConfig } = await import('@agentpty/protocol/home')
  const file = () => readConfigFile(configPath(paths.configFolder))
  return { explain: () => explainConfig(process.env, file()), read: () => readConfig(process.env, file()) }
}

function writeToTerminal(text: string): void {
  try {
    writeFileSync('/dev/tty', text)
  } catch {
    const hint = 'Call it from a hook of a program that runs in a terminal.'
    throw new TermError('invalid_input', 'There is no terminal here to report in.', hint)
  }
}

async function ownRegistrar({ http, toolsets }: RegistrationRequest) {
  const { registrar, offeredServer } = await import('@agentpty/server/registration')
  const home = homedir()
  return registrar({
    folders: {
      home,
      config: process.env['XDG_CONFIG_HOME'] || join(home, '.config'),
      isMac: process.platform === 'darwin',
      cwd: process.cwd(),
    },
    searchPath: process.env['PATH'] ?? '',
    server: offeredServer(
      { command: ownCommand(), env: instanceVariables(process.env) },
      toolsets,
      http ? await httpAddress() : null,
    ),
    record: join(paths.stateFolder, 'registrations.json'),
  })
}

/** Errors: `invalid_input` when HTTP is off. */
async function httpAddress() {
  const client = await connectRpc({ mayStart: true })
  const { http } = await client.control.status()
  await client.close()
  const { httpPort } = (await ownConfig()).read()
  if (http !== null) return { url: http.url, token: httpToken(paths.token), wantedPort: httpPort ?? 0 }
  const hint = 'Set httpPort in config.yaml, then: agentpty stop. Without --http a client starts agentpty by itself.'
  throw new TermError('invalid_input', 'HTTP is off: there is no address to register.', hint)
}

/** Access to the instance's files for commands, without the daemon. */
const ownFiles = {
  registrar: ownRegistrar,
  httpToken: () => httpToken(paths.token),
  audit: ownAudit,
  recordings: async () => (await import('./own-recordings.ts')).ownRecordings(paths),
  scopes: ownScopes,
  gym: async () =>
    (await import('./own-gym.ts')).ownGym(paths.configFolder, {
      scopes: ownScopes,
      cwd: process.cwd(),
      connectAs: (token) => connectRpc({ mayStart: true, token }),
    }),
}

/** Returns whether the caller has no token, or the user's own. */
function isOwner(): boolean {
  const token = process.env[tokenVariable]
  return token === undefined || token === '' || token === httpToken(paths.token)
}

async function ownAudit() {
  const { auditRoom } = await import('@agentpty/server/audit')
  return auditRoom({ folder: paths.audit, clock: systemClock, isoTime })
}

async function ownScopes() {
  const { scopeTokens } = await import('@agentpty/server/scopes')
  return scopeTokens(paths.scopes, systemClock, commandLineName(userName(), terminalName()))
}

async function findAgents() {
  const [{ findAgents: find }, { explainAdapters }] = await Promise.all([
    import('@agentpty/server/doctor'),
    import('@agentpty/protocol/home'),
  ])
  const adapters = explainAdapters(readConfigFile(configPath(paths.configFolder)))
  return find(adapters, { env: ownEnvironment(), clock: systemClock })
}

async function* ownDoctor({ answerMs }: DoctorOptions) {
  const [{ examine }, { hostProgram }, { loadPolicyRules }, { tryBubblewrap }, config] = await Promise.all([
    import('@agentpty/server/doctor'),
    import('./own-host.ts'),
    import('@agentpty/server/policy'),
    import('@agentpty/server/sandbox'),
    ownConfig(),
  ])
  const script = realpathSync(process.argv[1] ?? '')
  yield* examine({
    paths,
    home: homedir(),
    userId,
    env: ownEnvironment(),
    version,
    build,
    clock: systemClock,
    answerMs,
    ownScript: script.includes(`${sep}_npx${sep}`) ? null : script,
    hostProgram,
    explainConfig: config.explain,
    policyFiles: () => loadPolicyRules([process.cwd()], policyPlaces).files,
    audit: await ownAudit(),
    trySandbox: () => tryBubblewrap(userId === 0),
    connect: connectDoctor,
    findAgents,
    registered: async () => (await ownRegistrar({ http: false, toolsets: null })).registered(),
  })
}

/**
 * Ends a daemon that does not start. Processes that it opened, such as ptyhost, would keep it alive although no client can reach it.
 */
async function startOrSayWhy(): Promise<void> {
  const fail = (error: unknown) => {
    process.stdout.write(writeRefusal(error))
    process.stderr.write(`${isoTime(systemClock.wall())} The daemon does not start: ${String(error)}\n`)
    process.exit(1)
  }
  const slow = `The daemon does not start: it was not ready after ${daemonTakeoverMsMax / 1_000} s.`
  const giveUp = () => fail(new TermError('daemon_gone', slow, `Look at ${paths.log}, or run: agentpty doctor`))
  const cancelTimer = systemClock.callAt(systemClock.now() + daemonTakeoverMsMax, giveUp)
  await runDaemon().catch(fail)
  cancelTimer()
}

async function runDaemon(): Promise<boolean> {
  return (await import('./daemon.ts')).runDaemon(paths, userId)
}

/** Errors: `limit_reached` when another server has its socket. */
async function serveTerminalcp(): Promise<void> {
  const { serveWire } = await import('@agentpty/doors/terminalcp')
  const { onInterrupt } = await import('@agentpty/cli')
  const path = join(homedir(), '.terminalcp', 'server.sock')
  const stop = await serveWire({ path, connect: () => connectRpc({ mayStart: true }) })
  process.stdout.write(`listening on ${path}\n`)
  await new Promise<void>((resolve) => onInterrupt(resolve))
  stop()
}

/** Errors: `limit_reached` when a daemon runs already. */
async function serve(): Promise<void> {
  if (await runDaemon()) return
  throw new TermError('limit_reached', 'A daemon runs already.', 'End it with: agentpty stop (its terminals go on)')
}

/** `agentpty mcp --toolset NAMES`, as clients have it registered. The command line parses or refuses everything else. */
function isToolsetAlone([flag, names = '', ...others]: readonly string[]): boolean {
  const isKnown = (name: string) => toolsetNames.some((one) => one === name)
  return flag === '--toolset' && others.length === 0 && names.split(',').every(isKnown)
}

async function main(): Promise<void> {
  const [command, ...rest] = process.argv.slice(2)
  if (command === 'daemon' && rest.length === 0) {
    return startOrSayWhy()
  }
  if (command === 'mcp' && rest.length === 0) return serveMcp()
  if (command === 'mcp' && isToolsetAlone(rest)) return serveMcp(parseToolsets(rest[1] ?? ''))
  const [{ runCli }, { commands }, { endWithReader, onInterrupt, ownTerminal, pipedInput, print, readInput }] =
    await Promise.all([import('@agentpty/cli'), import('./commands.ts'), import('@agentpty/cli')])
  endWithReader()
  process.exitCode = await runCli(process.argv.slice(2), {
    version,
    commands,
    ownTerminalId: process.env[terminalVariable] ?? null,
    print,
    complain: (text) => void process.stderr.write(text),
    terminal: process.stdin.isTTY && process.stdout.isTTY ? ownTerminal() : null,
    onInterrupt,
    readInput,
    pipedInput,
    clock: systemClock,
    configPath: configPath(paths.configFolder),
    explainConfig: async () => (await ownConfig()).explain(),
    connect: connectRpc,
    serveMcp,
    serveTerminalcp,
    serve,
    writeToTerminal,
    openBrowser: async (file) => (await import('./open-browser.ts')).openBrowser(file, process.env, systemClock),
    doctor: (options) => ownDoctor(options),
    findAgents,
    policy: async () => {
      const [{ policyRoom, watchPolicyRules }, { setFlagsFromString }] = await Promise.all([
        import('@agentpty/server/policy'),
        import('node:v8'),
      ])
      // In a process this short, TurboFan costs more than it gains: it delays single lines by milliseconds.
      setFlagsFromString('--no-opt')
      return policyRoom(watchPolicyRules(policyPlaces, systemClock), async () =>
        (await import('./offered-tools.ts')).offeredTools(),
      )
    },
    ...ownerOnly(ownFiles, isOwner),
    variables: ownEnvironment(),
    isoTime,
    folders: { cwd: process.cwd(), home: homedir() },
  })
}

await main()
