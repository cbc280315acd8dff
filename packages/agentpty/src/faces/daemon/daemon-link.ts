/** Reaching the daemon: connects, starts one when there is none, and replaces one of another build. */

import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { errorCodes, isTermError, TermError } from '../../contracts/errors.ts'
import { type ClientHello, type DaemonHello, parseDaemonHello, writeHello } from '../../contracts/handshake.ts'
import { isObject, LineSplitter, parseObject } from '../../contracts/json-lines.ts'
import { daemonTakeoverMsMax } from '../../contracts/limits.ts'
import type { Paths } from '../../contracts/paths.ts'
import type { Clock } from '../../contracts/ports.ts'

export interface DaemonLinkOptions {
  readonly clock: Clock
  readonly paths: Paths
  /** How to start a daemon: program and arguments. */
  readonly command: readonly string[]
  readonly build: string
  /** False: report a missing daemon instead of starting one. */
  readonly mayStart: boolean
  /** Ends the wait for a daemon that takes the connection and says nothing. */
  readonly signal?: AbortSignal
}

export interface DaemonConnection {
  readonly socket: Socket
  readonly hello: DaemonHello
}

/** So many daemons may end before they listen. */
const failuresMax = 5
/** Another daemon has the sessions and does not listen yet: it is looked for again after the first, then ever more seldom. */
const againMs = { first: 50, last: 1_000 }

/** Errors: `daemon_gone` when there is none and none may or can be started. */
export async function connectDaemon(options: DaemonLinkOptions, hello: ClientHello): Promise<DaemonConnection> {
  const { clock } = options
  const latest = clock.now() + daemonTakeoverMsMax
  let failures = 0
  let pauseMs = againMs.first
  while (failures < failuresMax && clock.now() < latest) {
    const connection = await tryConnect(options, hello)
    if (connection?.hello.build === options.build) return connection
    if (!options.mayStart) {
      if (connection !== null) return connection
      throw new TermError(
        'daemon_gone',
        'No agentpty daemon is running.',
        'Any verb starts one; nothing needs to be done.',
      )
    }
    if (connection !== null) await retire(connection.socket)
    const started = await startDaemon(options)
    if (started === 'failed') failures++
    if (started !== 'left') continue
    const at = clock.now() + pauseMs
    await new Promise<void>((again) => clock.callAt(at, again))
    pauseMs = Math.min(pauseMs * 2, againMs.last)
  }
  throw new TermError(
    'daemon_gone',
    'The agentpty daemon does not start.',
    `Look at ${options.paths.log}, or run: agentpty doctor`,
  )
}

/** Null when nobody listens or whoever does goes away. Errors: `daemon_gone` when the wait was ended. */
function tryConnect({ paths, signal }: DaemonLinkOptions, hello: ClientHello): Promise<DaemonConnection | null> {
  return new Promise((resolve, reject) => {
    const socket = connect(paths.daemonSocket)
    const lines = new LineSplitter()
    const giveUp = () => {
      reject(silent(paths))
      give(null)
    }
    const give = (connection: DaemonConnection | null) => {
      signal?.removeEventListener('abort', giveUp)
      socket.removeAllListeners()
      if (connection === null) socket.destroy()
      resolve(connection)
    }
    signal?.addEventListener('abort', giveUp)
    socket.once('error', () => give(null))
    socket.once('close', () => give(null))
    socket.once('connect', () => socket.write(writeHello(hello)))
    socket.on('data', (bytes) => {
      const [line] = lines.push(bytes)
      if (line === undefined) return
      const answer = parseDaemonHello(line)
      give(answer === null ? null : { socket, hello: answer })
    })
  })
}

function silent({ daemonSocket }: Paths): TermError {
  const hint = `fuser ${daemonSocket} tells its pid, and kill -9 ends it; its terminals go on.`
  return new TermError('daemon_gone', 'A daemon takes connections and does not answer.', hint)
}

/** A daemon of another build steps down; its sessions stay with ptyhost. */
function retire(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', () => resolve())
    socket.on('error', () => socket.destroy())
    socket.resume()
    socket.write('{"agentpty":1,"retire":true}\n')
  })
}

/** A small young generation: what a call leaves behind dies at once, and the daemon stays some 20 MB smaller. */
const runtimeFlags = ['--max-semi-space-size=4']

/** `left`: another one was faster, and may not listen yet. */
type Started = 'listens' | 'left' | 'failed'

function startDaemon({ command, paths }: DaemonLinkOptions): Promise<Started> {
  mkdirSync(paths.stateFolder, { recursive: true, mode: 0o700 })
  const [program, ...args] = command
  const log = openSync(paths.log, 'a', 0o600)
  return new Promise((resolve, reject) => {
    const child = spawn(program ?? process.execPath, [...runtimeFlags, ...args], {
      ...{ detached: true, stdio: ['ignore', 'pipe', log], cwd: '/' },
    })
    closeSync(log)
    const done = (started: Started) => {
      child.stdout?.destroy()
      child.unref()
      resolve(started)
    }
    child.on('error', (error) =>
      reject(new TermError('daemon_gone', `Cannot start the daemon: ${error.message}.`, 'Run: agentpty doctor')),
    )
    child.stdout?.once('data', (bytes: Buffer) => {
      const refusal = parseRefusal(bytes.toString('utf8'))
      if (refusal === null) done('listens')
      else reject(refusal)
    })
    child.once('exit', (code) => done(code === 0 ? 'left' : 'failed'))
  })
}

/** A daemon that cannot start says why instead of "ready": {failed: {code, message, hint}}. */
export function writeRefusal(error: unknown): string {
  const { code, message, hint } = isTermError(error)
    ? error
    : new TermError('internal', error instanceof Error ? error.message : String(error), 'Run: agentpty doctor')
  return `${JSON.stringify({ failed: { code, message, hint } })}\n`
}

function parseRefusal(line: string): TermError | null {
  const failed = parseObject(line)?.['failed']
  if (!isObject(failed)) return null
  const code = errorCodes.find((one) => one === failed['code']) ?? 'internal'
  return new TermError(code, String(failed['message']), String(failed['hint']))
}
