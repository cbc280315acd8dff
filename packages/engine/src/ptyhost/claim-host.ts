/**
 * Becoming the one engine of a ptyhost.
 *
 * ptyhost grants one owner at a time and notices its end when the socket closes. That makes it the arbiter between
 * daemons that start at the same moment: one is granted the host, the others learn that they are not needed.
 */

import { execFile, spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Clock,
  hostBuildMsMax,
  hostHelloMsMax,
  makeFolder,
  pause,
  resultBefore,
  TermError,
} from '@agentpty/protocol'
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
    // No host listens yet, or the socket is left over: start a host.
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

/** A process accepts the connection and sends nothing. */
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

// Starts ptyhost, or finds the one that runs.

/** Exit code of a starter that found another host listening. */
const alreadyRunning = 3

export interface HostPaths {
  /** The ptyhost program. */
  readonly program: string
  readonly socket: string
  /** The ms without sessions and connections after which it ends itself. */
  readonly lingerMs: number
  /** It ends with its first owner, however that ends, and removes its socket's folder. */
  readonly isPrivate?: boolean
}

/** Resolves when a host listens on the socket. It detaches itself, so it outlives its starter; a private one only shortly. */
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

/** The ptyhost programs to choose from: the named one, that of the checkout, that of the package, or one built here from its sources. */
export interface HostOrigins {
  /** AGENTPTY_PTYHOST, such as a build under a sanitizer. */
  readonly named: string | undefined
  readonly packageFolder: string
  /** The folder for hosts that were built here. */
  readonly cacheFolder: string
  /** The version of the package's code; a host that another version has built is not used. */
  readonly build: string
  readonly platform: string
  readonly arch: string
}

/** Errors: `host_missing` when there is none for this machine and none can be built. */
export async function provideHostProgram(origins: HostOrigins): Promise<string> {
  const ready = candidates(origins).find((file) => existsSync(file))
  return origins.named ?? ready ?? buildHostProgram(origins)
}

/** In the order in which they are taken. Only a checkout has one in dist: it is not published. */
function candidates(origins: HostOrigins): readonly string[] {
  const { packageFolder, platform, arch } = origins
  return [
    join(packageFolder, 'dist/ptyhost'),
    join(packageFolder, 'prebuilds', `${platform}-${arch}`, 'ptyhost'),
    builtHere(origins),
  ]
}

/** Builds of other versions begin with the same word. */
const builtPrefix = 'ptyhost-'

function builtHere({ cacheFolder, build, platform, arch }: HostOrigins): string {
  return join(cacheFolder, `${builtPrefix}${build}-${platform}-${arch}`)
}

/** Built in a folder of its own, because the package's may be another user's, and because two builds may run at the same time. */
async function buildHostProgram(origins: HostOrigins): Promise<string> {
  const { packageFolder, cacheFolder, platform } = origins
  if (platform !== 'linux' && platform !== 'darwin') throw unknownSystem(origins)
  const target = builtHere(origins)
  const scratch = mkdtempSync(join(tmpdir(), 'agentpty-build-'))
  try {
    // An unknown compiler may warn where ours does not: warnings must not fail this build.
    const args = ['-s', '-C', join(packageFolder, 'dist/native'), `BUILD=${scratch}`, 'WARNINGS=-std=c11 -w']
    const complaint = await complaintOf('make', args)
    if (complaint !== null) throw cannotBuild(origins, complaint)
    makeFolder(cacheFolder)
    removeOlder(cacheFolder)
    copyFileSync(join(scratch, 'ptyhost'), `${target}.${process.pid}`)
    renameSync(`${target}.${process.pid}`, target)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
  return target
}

/** One at a time is kept. A ptyhost that runs does not need its file any more. */
function removeOlder(cacheFolder: string): void {
  const older = readdirSync(cacheFolder).filter((name) => name.startsWith(builtPrefix))
  for (const name of older) rmSync(join(cacheFolder, name), { force: true })
}

/** Null when all went well, else why not. */
function complaintOf(program: string, args: readonly string[]): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(program, [...args], { timeout: hostBuildMsMax }, (error, _output, complaints) => {
      if (error === null) resolve(null)
      else if (error.code === 'ENOENT') resolve(`${program} is not installed`)
      else resolve(complaints.trim().split('\n').slice(0, 3).join(' ').slice(0, 500) || error.message)
    })
  })
}

function cannotBuild({ platform, arch }: HostOrigins, complaint: string): TermError {
  const compiler =
    platform === 'darwin'
      ? 'xcode-select --install'
      : 'apt-get install gcc libc6-dev make (Debian, Ubuntu), apk add build-base (Alpine), dnf install gcc make (Fedora)'
  return new TermError(
    'host_missing',
    `The package has no ptyhost for ${platform}-${arch}, and building one failed: ${complaint}.`,
    `Install a C compiler and make, then try again: ${compiler}. Or name a ptyhost in AGENTPTY_PTYHOST.`,
  )
}

function unknownSystem({ platform, arch }: HostOrigins): TermError {
  return new TermError(
    'host_missing',
    `There is no ptyhost for ${platform}-${arch}.`,
    'agentpty runs on Linux and is built for macOS. On Windows use WSL.',
  )
}
