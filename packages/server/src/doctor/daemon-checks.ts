/** The daemon, what leads to it, and whether terminals work in it. */

import { type Client, isTermError } from '@agentpty/protocol'
import { discoveryFiles } from '@agentpty/protocol/home'
import { doctorName, type ReachedDaemon } from '@agentpty/protocol/setup'
import { type DaemonStatus, isObject, type JsonObject } from '@agentpty/protocol/wire'
import { readIfThere } from '../files/index.ts'
import { askHealth, daemonsOf, readDiscovery } from '../state/index.ts'
import { type Check, ok, type Seen, type Subject, trippedOver, warn, wrong } from './check.ts'
import { journalIsWritten } from './machine-checks.ts'

interface OpenedDaemon {
  readonly seen: Seen
  /** Null when there is none and none can be started. */
  readonly daemon: Client | null
  /** Null with it. */
  readonly status: DaemonStatus | null
}

export async function openDaemon(subject: Subject): Promise<OpenedDaemon> {
  const { clock, answerMs } = subject
  const stop = new AbortController()
  const cancelTimer = clock.callAt(clock.now() + answerMs, () => stop.abort())
  const { signal } = stop
  try {
    const before = await runningBuild(subject, signal)
    const daemon = await subject.connect({ mayStart: true, signal })
    const status = await daemon.control.status()
    const { pid, version, build } = status.daemon
    const found = `${before === null ? 'started' : 'runs'}, pid ${pid}, version ${version}; ptyhost pid ${status.host.pid}`
    if (before === null || before === build) return { seen: ok(found), daemon, status }
    const advice = 'If it comes back: a client starts another install of agentpty; see the clients below.'
    return { seen: warn(`${found}; it has replaced one of another build`, advice), daemon, status }
  } catch (error) {
    return { seen: trippedOver(error, `Look at ${subject.paths.log}.`), daemon: null, status: null }
  } finally {
    cancelTimer()
  }
}

/** Null when none runs. */
async function runningBuild({ connect }: Subject, signal: AbortSignal): Promise<string | null> {
  try {
    const daemon = await connect({ mayStart: false, signal })
    const { build } = (await daemon.control.status()).daemon
    await daemon.close()
    return build
  } catch (error) {
    if (isTermError(error) && error.code === 'no_daemon') return null
    throw error
  }
}

const readLog = 'Look at the daemon’s log.'

export function daemonChecks(daemon: Client): readonly Check[] {
  return [
    { name: 'last daemon', advice: readLog, examine: (subject) => previousEnd(daemon, subject) },
    { name: 'other daemons', advice: readLog, examine: (subject) => noOtherDaemon(daemon, subject) },
    {
      name: 'http',
      advice: 'agentpty stop; the next command starts a daemon.',
      examine: (subject) => httpIsAsSet(daemon, subject),
    },
    { name: 'page', advice: readLog, examine: (subject) => pageIsServed(daemon, subject) },
    {
      name: 'port files',
      advice: 'Remove what is in the way; then: agentpty stop',
      examine: (subject) => signpostsLeadHere(daemon, subject),
    },
    {
      name: 'terminal',
      advice: 'Look at the daemon’s log, and whether /dev/pts is mounted.',
      examine: () => terminalAnswers(daemon),
    },
    { name: 'audit', advice: readLog, examine: () => journalIsWritten(daemon) },
    { name: 'log', advice: 'Make room on the disk.', examine: ({ paths }) => logIsWritten(daemon, paths.log) },
    { name: 'kernel facts', advice: readLog, examine: () => examineFacts(daemon) },
    { name: 'containers', advice: readLog, examine: () => containersWork(daemon) },
  ]
}

async function previousEnd(daemon: Client, { paths }: Subject): Promise<Seen> {
  const { previous } = await daemon.control.status()
  if (previous === null) return ok('none before this one')
  return previous.isOrderly ? ok(previous.text) : warn(previous.text, `Look at ${paths.log}.`)
}

/** A second daemon that lives with the same state spoils it: ids twice, terminals that only one of them lists. */
async function noOtherDaemon(daemon: Client, { paths: { stateFolder }, userId }: Subject): Promise<Seen> {
  const { pid } = (await daemon.control.status()).daemon
  const others = daemonsOf(stateFolder, userId).filter((one) => one !== pid)
  if (others.length === 0) return ok(`none; pid ${pid} alone uses ${stateFolder}`)
  return wrong(
    `pid ${others.join(', ')} uses ${stateFolder}, too`,
    `kill ${others.join(' ')}; its terminals continue, and the next daemon that starts without terminals takes them over.`,
  )
}

async function httpIsAsSet(daemon: Client, { explainConfig }: Subject): Promise<Seen> {
  const { http } = await daemon.control.status()
  if (http === null) return ok('off, as httpPort is null')
  const setting = explainConfig().find(({ key }) => key === 'httpPort')
  const wanted = typeof setting?.value === 'number' ? setting.value : 0
  const url = `${http.url}/mcp`
  if (wanted === 0 || Number(new URL(url).port) === wanted) return ok(url)
  const advice = `End what has port ${wanted}, or set httpPort to another one; then: agentpty stop`
  return warn(`${url}, because port ${wanted} was taken when the daemon started`, advice)
}

/** Fetches the page as a browser does. */
async function pageIsServed(daemon: Client, { clock, answerMs }: Subject): Promise<Seen> {
  const { http } = await daemon.control.status()
  if (http === null) return ok('off, as httpPort is null')
  const url = `${http.url}/`
  const stop = new AbortController()
  const cancelTimer = clock.callAt(clock.now() + answerMs, () => stop.abort())
  const response = await fetch(url, { signal: stop.signal, redirect: 'manual' }).catch((error: unknown) =>
    String(error),
  )
  cancelTimer()
  if (typeof response === 'string') return wrong(`${url} does not answer: ${response}`, readLog)
  const html = await response.text()
  if (!response.ok || !html.includes('<script'))
    return wrong(`${url} answers ${response.status}, not the page`, readLog)
  return ok(`${url} is served; to see it: agentpty open`)
}

async function signpostsLeadHere(daemon: Client, subject: Subject): Promise<Seen> {
  const { http } = await daemon.control.status()
  if (http === null || http.discovery.length === 0)
    return ok('off: no file announces the port to other programs (portFile in config.yaml)')
  const port = Number(new URL(http.url).port)
  for (const { path, portIn } of discoveryFiles(subject.home)) {
    const text = readDiscovery(path)
    const filePort = text === null ? null : portIn(text)
    if (filePort === port) continue
    const renew = 'agentpty stop; the next command starts a daemon, which writes it.'
    if (filePort === null) return warn(`${path} ${text === null ? 'is not there' : 'tells no port'}`, renew)
    const answerer = await askHealth(filePort, subject.clock)
    if (answerer === 'absent' || answerer === 'stranger')
      return warn(`${path} leads to port ${filePort}, where no server answers`, renew)
    return warn(
      `${path} leads to another server, on port ${filePort}`,
      'End that one, if it is not meant; then: agentpty stop',
    )
  }
  return ok(`lead to port ${port}`)
}

async function terminalAnswers(daemon: Client): Promise<Seen> {
  const { exitCode, output, terminalId, durationMs } = await daemon.call('run', { command: 'echo it works' })
  await daemon.call('close', { terminalId })
  if (exitCode === 0 && output.includes('it works')) return ok(`a command ran in ${durationMs} ms`)
  return wrong(`a command gave ${exitCode}: ${output.trim().slice(-200)}`, 'Look at the start-up files of your shell.')
}

async function logIsWritten(daemon: Client, path: string): Promise<Seen> {
  const { log } = await daemon.control.status()
  if (log === null) return ok(path)
  return wrong(
    `${path} cannot be written: ${log.reason}; ${log.lines} lines since ${log.since} are lost`,
    'Make room on the disk. The daemon and its terminals continue without the log.',
  )
}

/** Where the kernel shows system calls, a program that waits for a line is known to wait with certainty. */
async function examineFacts(daemon: Client): Promise<Seen> {
  const { terminalId, confidence } = await daemon.call('create', { command: ['cat'], waitTimeoutMs: 10_000 })
  await daemon.call('close', { terminalId })
  if (confidence === 'certain') return ok('readable: a program that waits is known with certainty')
  return warn(
    `hidden (${whatHides()}); a waiting program is known with ${confidence ?? 'no'} confidence`,
    'Waiting works all the same: shells with marks and programs that report their state stay certain.',
  )
}

/** Containers are needed only to play tasks. */
async function containersWork(daemon: Client): Promise<Seen> {
  try {
    const { environmentId, resetBy } = await daemon.call('makeEnvironment', { program: ['true'] })
    await daemon.call('closeEnvironment', { environmentId })
    return ok(`work; environments of the gym are reset by ${resetBy}`)
  } catch (error) {
    if (!isTermError(error) || error.code !== 'sandbox_unavailable') throw error
    return { mark: 'hint', found: error.message, advice: `For agentpty gym: ${error.hint}` }
  }
}

/** Why the kernel does not show what programs wait for. */
function whatHides(): string {
  const scope = readIfThere('/proc/sys/kernel/yama/ptrace_scope')?.trim()
  const hidepid = /\shidepid=(\w+)/.exec(readIfThere('/proc/mounts')?.replaceAll(',', ' ') ?? '')?.[1]
  const reasons = [
    ...(Number(scope) > 1 ? [`kernel.yama.ptrace_scope is ${scope}; 1 would do`] : []),
    ...(hidepid === undefined || hidepid === '0' ? [] : [`/proc is mounted with hidepid=${hidepid}`]),
  ]
  return reasons.length > 0 ? reasons.join(', ') : 'by a container or a security module'
}

/** The result of a handshake: `initialize`, then `tools/list`, by which an MCP client finds out that a server is there. */
export type Handshake =
  | {
      readonly outcome: 'connected'
      readonly tools: number
      readonly version: string
      readonly ms: number
      /** Null for a server that does not tell. */
      readonly daemon: ReachedDaemon | null
    }
  | { readonly outcome: 'failed'; readonly why: Failure; readonly found: string }

/** `missing`: nothing to start. `ended`: the program ended. `token`: refused. `absent`: no process listens. `silent`: no answer. */
type Failure = 'missing' | 'ended' | 'token' | 'absent' | 'silent' | 'wrong answer'

export const failed = (why: Failure, found: string): Handshake => ({ outcome: 'failed', why, found })

const protocolVersion = '2025-06-18'

export const initializeId = 1
export const listId = 2

export const initialize = (version: string): JsonObject => ({
  jsonrpc: '2.0',
  id: initializeId,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: doctorName, version } },
})
export const initialized: JsonObject = { jsonrpc: '2.0', method: 'notifications/initialized' }
export const listTools: JsonObject = { jsonrpc: '2.0', id: listId, method: 'tools/list' }

/** The result in a message that answers the request; an echo of the request does not count. */
export function answerTo(id: number, message: JsonObject | null): JsonObject | 'refused' | null {
  if (message === null || message['id'] !== id || 'method' in message) return null
  return isObject(message['result']) ? message['result'] : 'refused'
}

export function versionIn(result: JsonObject): string {
  const info = result['serverInfo']
  return isObject(info) && typeof info['version'] === 'string' ? info['version'] : ''
}

/** Null when the answer is not a list. */
export function toolsIn(result: JsonObject): number | null {
  return Array.isArray(result['tools']) ? result['tools'].length : null
}
