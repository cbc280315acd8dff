/** Reaching the daemon: connects, starts one when there is none, and replaces one of another build. */

import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import {
  type Clock,
  daemonHelloMsMax,
  daemonStoppedCheckMs,
  daemonTakeoverMsMax,
  errorCodeOf,
  isTermError,
  limitReached,
  type Millis,
  makeFolder,
  pause,
  TermError,
} from '@agentpty/protocol'
import type { Paths } from '@agentpty/protocol/home'
import {
  type ClientHello,
  type DaemonHello,
  isObject,
  LineSplitter,
  parseDaemonHello,
  parseObject,
  writeHello,
} from '@agentpty/protocol/wire'

export interface DaemonLinkOptions {
  readonly clock: Clock
  readonly paths: Paths
  /** How to start a daemon: program and arguments. */
  readonly command: readonly string[]
  /** Its environment; that of this process without it. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly build: string
  /** False: report a missing daemon instead of starting one. */
  readonly mayStart: boolean
  /** The path of the daemon's socket now; that of `paths` without it. Errors: `machine_unfit`. */
  readonly locate?: () => string
  /** The daemon is this user's, on this machine, at its own socket: only then may another build replace it. Without it: never. */
  readonly isOwn?: (hello: DaemonHello, socketPath: string) => boolean
  /** The pid of the daemon while a signal or a debugger has stopped it; else null. */
  readonly stoppedPid?: () => number | null
  /** Ends the wait for a daemon that accepts the connection and says nothing. */
  readonly signal?: AbortSignal
}

export interface DaemonConnection {
  readonly socket: Socket
  readonly hello: DaemonHello
}

/** How many daemons may end before they listen. */
const failuresMax = 5
/** Another daemon has the sessions and does not listen yet: we try it again after the first of these pauses, then ever more seldom. */
const againMs = { first: 50, last: 1_000 }

/**
 * All of it takes {@link daemonTakeoverMsMax} at most. A silent listener may be a busy daemon or another program: a
 * daemon that is started finds out, because ptyhost admits it only when no other has the terminals.
 *
 * Errors: `no_daemon` when there is none and none may be started, `daemon_gone` when none can be or it does not answer,
 * `limit_reached` when it takes no more clients, `version_mismatch` for a daemon of another build that is not ours to
 * replace.
 */
export async function connectDaemon(options: DaemonLinkOptions, hello: ClientHello): Promise<DaemonConnection> {
  const { clock, paths, mayStart, isOwn = () => false } = options
  const latest = clock.now() + daemonTakeoverMsMax
  let failures = 0
  let pauseMs = againMs.first
  let found: Found = 'absent'
  while (failures < failuresMax && clock.now() < latest) {
    const socketPath = locatedIn(options)
    found = await tryConnect(options, socketPath, hello)
    if (isConnection(found) && (!mayStart || found.hello.build === options.build)) return found
    if (!mayStart) throw found === 'mute' ? silent(socketPath) : noDaemon()
    if (isConnection(found)) {
      if (!isOwn(found.hello, socketPath)) throw notReplaced(found, socketPath)
      await retire(found.socket, clock)
    }
    const started = await startDaemon(options, latest)
    if (started === 'failed') failures++
    if (started !== 'left') continue
    await pause(clock, pauseMs)
    pauseMs = Math.min(pauseMs * 2, againMs.last)
  }
  if (failures === failuresMax) throw endsAtOnce(paths)
  throw found === 'mute' ? silent(locatedIn(options)) : notListening(paths, locatedIn(options))
}

const locatedIn = ({ locate, paths }: DaemonLinkOptions): string => locate?.() ?? paths.daemonSocket

/** A daemon of another user or machine: its owner decides about its end. */
function notReplaced({ socket, hello: { version, owner } }: DaemonConnection, socketPath: string): TermError {
  socket.destroy()
  const where =
    owner === null ? '' : ` on ${owner.process.machine.hostname}, of user ${owner.userId} for ${owner.stateFolder},`
  return new TermError(
    'version_mismatch',
    `A daemon of another build (version ${version})${where} answers at ${socketPath}. It is not ours to replace.`,
    `Install version ${version} of agentpty here, or set AGENTPTY_HOME to a folder of this user and machine.`,
  )
}

/** `mute`: the connection was accepted and no hello came. */
type Found = DaemonConnection | 'absent' | 'mute'

const isConnection = (found: Found): found is DaemonConnection => typeof found === 'object'

/** Errors: `daemon_gone` when the wait was ended, and those that the daemon itself sends. */
function tryConnect(options: DaemonLinkOptions, socketPath: string, hello: ClientHello): Promise<Found> {
  const { clock, signal, stoppedPid = () => null } = options
  return new Promise((resolve, reject) => {
    const socket = connect(socketPath)
    const lines = new LineSplitter()
    const giveUp = () => {
      reject(silent(socketPath))
      give('absent')
    }
    const cancelTimer = clock.callAt(clock.now() + daemonHelloMsMax, () => give('mute'))
    const checkIfStopped = () => {
      const pid = stoppedPid()
      if (pid !== null) {
        reject(stopped(pid))
        give('absent')
      } else cancelCheck = clock.callAt(clock.now() + daemonStoppedCheckMs, checkIfStopped)
    }
    let cancelCheck = clock.callAt(clock.now() + daemonStoppedCheckMs, checkIfStopped)
    const give = (found: Found) => {
      cancelTimer()
      cancelCheck()
      signal?.removeEventListener('abort', giveUp)
      socket.removeAllListeners()
      if (!isConnection(found)) {
        // Later errors of this connection do not matter any more.
        socket.on('error', () => undefined)
        socket.destroy()
      }
      resolve(found)
    }
    if (signal?.aborted) return giveUp()
    signal?.addEventListener('abort', giveUp)
    socket.once('error', () => give('absent'))
    socket.once('close', () => give('absent'))
    socket.once('connect', () => socket.write(writeHello(hello)))
    socket.on('data', (bytes) => {
      const [line] = lines.push(bytes)
      if (line === undefined) return
      const refusal = parseRefusal(line, 'error')
      if (refusal !== null) reject(refusal)
      const answer = parseDaemonHello(line)
      give(answer === null ? 'absent' : { socket, hello: answer })
    })
  })
}

function noDaemon(): TermError {
  return new TermError('no_daemon', 'No agentpty daemon is running.', 'Any verb starts one; nothing needs to be done.')
}

function stopped(pid: number): TermError {
  return new TermError(
    'daemon_gone',
    `The agentpty daemon (pid ${pid}) is stopped, by a signal or a debugger, and does not answer.`,
    `Let it continue: kill -CONT ${pid}`,
  )
}

function silent(socketPath: string): TermError {
  const hint = `fuser ${socketPath} tells its pid, and kill -9 ends it; its terminals go on.`
  return new TermError('daemon_gone', `A daemon takes connections at ${socketPath} and does not answer.`, hint)
}

function notListening({ log }: Paths, socketPath: string): TermError {
  return new TermError(
    'daemon_gone',
    `The agentpty daemon does not start: for ${daemonTakeoverMsMax / 1_000} s no process has listened at ${socketPath}.`,
    `Look at ${log}, or run: agentpty doctor`,
  )
}

function endsAtOnce({ log }: Paths): TermError {
  return new TermError(
    'daemon_gone',
    `The agentpty daemon does not start: it has ended ${failuresMax} times before it listened.`,
    `Look at ${log}, or run: agentpty doctor`,
  )
}

/** A daemon of another build steps down; its sessions stay with ptyhost. */
export function retire(socket: Socket, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    // A daemon that does not end is found again by the next client.
    const cancelTimer = clock.callAt(clock.now() + daemonHelloMsMax, () => socket.destroy())
    socket.once('close', () => {
      cancelTimer()
      resolve()
    })
    socket.on('error', () => socket.destroy())
    socket.resume()
    socket.write('{"agentpty":1,"retire":true}\n')
  })
}

/** A small young generation: the garbage of a call is collected early, and the daemon uses some 20 MB less. */
const runtimeFlags = ['--max-semi-space-size=4']

/** `left`: another daemon was faster, and may not listen yet. */
type Started = 'listens' | 'left' | 'failed'

/** Errors: the reason why it does not start, or that it says nothing at all. */
function startDaemon(options: DaemonLinkOptions, latest: Millis): Promise<Started> {
  const { clock, command, env = process.env, paths } = options
  const [program, ...args] = command
  const log = openLog(paths)
  return new Promise((resolve, reject) => {
    const child = spawn(program ?? process.execPath, [...runtimeFlags, ...args], {
      detached: true,
      stdio: ['ignore', 'pipe', log],
      cwd: '/',
      env: { ...env },
    })
    closeSync(log)
    const cancelTimer = clock.callAt(latest, () => {
      reject(notListening(paths, locatedIn(options)))
      done('failed')
    })
    const done = (started: Started) => {
      cancelTimer()
      child.stdout?.destroy()
      child.unref()
      resolve(started)
    }
    child.on('error', (error) => {
      reject(new TermError('daemon_gone', `Cannot start the daemon: ${error.message}.`, 'Run: agentpty doctor'))
      done('failed')
    })
    child.stdout?.once('data', (bytes: Buffer) => {
      const refusal = parseRefusal(bytes.toString('utf8'), 'failed')
      if (refusal !== null) reject(refusal)
      done('listens')
    })
    // Not before its last output has been read.
    child.once('close', (code) => done(code === 0 ? 'left' : 'failed'))
  })
}

/** Errors: `daemon_gone` when the log cannot be written. */
function openLog({ stateFolder, log }: Paths): number {
  try {
    makeFolder(stateFolder)
    return openSync(log, 'a', 0o600)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new TermError(
      'daemon_gone',
      `Cannot start the daemon: its log ${log} cannot be written (${reason}).`,
      'Make room, or make the folder yours; or set AGENTPTY_HOME to another folder.',
    )
  }
}

/** A daemon that cannot start says why instead of "ready": {failed: {code, message, hint}}. */
export function writeRefusal(error: unknown): string {
  const { code, message, hint } = isTermError(error) ? error : unexpected(error)
  return `${JSON.stringify({ failed: { code, message, hint } })}\n`
}

function unexpected(error: unknown): TermError {
  const message = error instanceof Error ? error.message : String(error)
  const isOfFiles = error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE')
  return isOfFiles
    ? limitReached(`Too many files are open: ${message}.`, 'Raise the limit, for example: ulimit -n 1024')
    : new TermError('internal', message, 'Run: agentpty doctor')
}

/** The error under `key`: `failed` from a daemon that cannot start, `error` from one that takes no more clients. */
function parseRefusal(line: string, key: 'failed' | 'error'): TermError | null {
  const refusal = parseObject(line)?.[key]
  if (!isObject(refusal)) return null
  return new TermError(errorCodeOf(refusal['code']), String(refusal['message']), String(refusal['hint'] ?? ''))
}
