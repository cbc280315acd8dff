/**
 * Which ptyhost to start: the one that was named, that of the checkout, the one the package brings for this machine, or
 * one built here from the sources it brings.
 */

import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hostBuildMsMax, makeFolder, TermError } from '@agentpty/protocol'

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

/** Built in a folder of its own, because the package's may be another user's, and because two may build at once. */
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
