/**
 * Becoming the one engine of a ptyhost.
 *
 * ptyhost grants one owner at a time and notices its end when the socket closes. That makes it the arbiter between
 * daemons that start at the same moment: one is granted the host, the others learn that they are not needed.
 */

import { spawn } from 'node:child_process'
import { type Clock, hostHelloMsMax, pause, resultBefore, TermError } from '@agentpty/protocol'
import { HostLink } from './host-link.ts'

/** ptyhost may notice a moment late that a killed owner has gone. */
const attemptsMax = 10
const pauseMs = 10

/** Null when another engine owns the host. Errors: `host_gone` when it cannot be started. */
export async function claimHost(paths: HostPaths, clock: Clock, gone: () => void): Promise<HostLink | null> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const connection = await connectOrStart(paths, clock, gone)
    if (connection.hello.granted) return connection.link
    connection.link.disconnect()
    await pause(clock, pauseMs)
  }
  return null
}

/** The same for a host that runs already; null also when none answers there. Starts none. */
export async function claimRunningHost(socket: string, clock: Clock, gone: () => void): Promise<HostLink | null> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    let isOwner = false
    const goneIfOwned = () => {
      if (isOwner) gone()
    }
    const connection = await greeted(HostLink.connect(socket, goneIfOwned), { socket }, clock).catch(() => null)
    if (connection === null) return null
    isOwner = connection.hello.granted
    if (isOwner) return connection.link
    connection.link.disconnect()
    await pause(clock, pauseMs)
  }
  return null
}

async function connectOrStart(paths: HostPaths, clock: Clock, gone: () => void) {
  let isOwner = false
  const goneIfOwned = () => {
    if (isOwner) gone()
  }
  const connect = async () => {
    const connection = await greeted(HostLink.connect(paths.socket, goneIfOwned), paths, clock)
    isOwner = connection.hello.granted
    return connection
  }
  try {
    return await connect()
  } catch (error) {
    if (error instanceof MuteHost) throw error
    // Nobody listens yet, or the socket is left over: then a host is started.
    await startHost(paths)
  }
  try {
    return await connect()
  } catch (error) {
    if (error instanceof MuteHost) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new TermError('host_gone', `ptyhost does not answer at ${paths.socket}: ${reason}.`, 'Run: agentpty doctor')
  }
}

/** Somebody accepts the connection and says nothing. */
class MuteHost extends TermError {
  constructor(socket: string) {
    const hint = `fuser ${socket} tells its pid. If it is ptyhost, ending it ends the terminals.`
    super('host_gone', `Who listens at ${socket} does not answer.`, hint)
  }
}

async function greeted<Connection>(
  connecting: Promise<Connection>,
  { socket }: Pick<HostPaths, 'socket'>,
  clock: Clock,
) {
  const connection = await resultBefore(connecting, { clock, latest: clock.now() + hostHelloMsMax })
  if (connection === null) throw new MuteHost(socket)
  return connection
}

/** Starting ptyhost, or finding the one that runs. */

/** Exit code of a starter that found another host listening. */
const alreadyRunning = 3

export interface HostPaths {
  /** The ptyhost program. */
  readonly program: string
  readonly socket: string
  /** Without sessions and connections it ends itself after this many ms. */
  readonly lingerMs: number
  /** It ends with its first owner, however that ends, and removes its socket's folder. */
  readonly isPrivate?: boolean
}

/**
 * Resolves when a host listens on the socket. It detaches itself, so it outlives its starter; a private one only
 * shortly.
 */
export function startHost({ program, socket, lingerMs, isPrivate = false }: HostPaths): Promise<void> {
  const args = ['--socket', socket, '--linger-ms', String(lingerMs), ...(isPrivate ? ['--private'] : [])]
  return new Promise((resolve, reject) => {
    const starter = spawn(program, args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      cwd: '/',
    })
    let complaint = ''
    starter.stderr.on('data', (text) => {
      complaint = (complaint + text).slice(-2_000)
    })
    starter.on('error', (error) => reject(hostMissing(program, error.message)))
    starter.on('exit', (code) => {
      starter.stderr.destroy()
      if (code === 0 || code === alreadyRunning) resolve()
      else reject(hostMissing(program, complaint.trim() || `exit code ${code}`))
    })
  })
}

function hostMissing(program: string, reason: string): TermError {
  return new TermError(
    'host_gone',
    `Cannot start ${program}: ${reason}.`,
    'Run `agentpty doctor` to see what is wrong.',
  )
}
