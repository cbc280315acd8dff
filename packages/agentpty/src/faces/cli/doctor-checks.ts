/** What `agentpty doctor` looks at on this machine. */

import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import type { ConfigSetting } from '../../contracts/config.ts'
import type { Paths } from '../../contracts/paths.ts'
import type { DaemonClient } from './cli.ts'
import { type Check, check } from './doctor.ts'

export interface DoctorSubject {
  readonly paths: Paths
  /** The ptyhost program. Errors: `host_missing`. */
  readonly hostProgram: () => Promise<string>
  /** Errors: `invalid_input` for a configuration that is wrong. */
  readonly explainConfig: () => readonly ConfigSetting[]
  readonly connect: (options: { readonly mayStart: boolean }) => Promise<DaemonClient>
}

export function doctorChecks({
  paths,
  hostProgram,
  explainConfig,
  connect,
}: DoctorSubject): readonly (() => Promise<Check>)[] {
  return [
    check('node', 'Install Node.js 20.19 or newer.', nodeVersion),
    check('ptyhost', 'Run `npm run build` in the checkout, or install the package again.', async () =>
      hostRuns(await hostProgram()),
    ),
    check('folder', `Make it yours alone: chmod 700 ${paths.runFolder}`, () => folderIsPrivate(paths)),
    check('configuration', 'Mend it, or remove it; `agentpty config example` shows what may stand there.', () => {
      const set = explainConfig().filter(({ origin }) => origin !== 'default')
      return set.length === 0 ? 'all as it comes' : set.map(({ key, value }) => `${key} ${value}`).join(', ')
    }),
    check('daemon', `Look at ${paths.log}.`, async () => {
      const client = await connect({ mayStart: true })
      const { daemon, host } = await client.status()
      await client.close()
      return `runs, pid ${daemon.pid}, version ${daemon.version}; ptyhost pid ${host.pid}`
    }),
    check('terminal', 'Look at the daemon’s log, and whether /dev/pts is mounted.', () => terminalAnswers(connect)),
    check(
      'kernel facts',
      'Waiting works, with lower confidence: shells with marks and programs that report their state stay certain.',
      () => kernelTells(connect),
    ),
  ]
}

function nodeVersion(): string {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) throw new Error(`${process.version} is too old`)
  return process.version
}

function hostRuns(program: string): string {
  statSync(program)
  try {
    execFileSync(program, [], { stdio: 'pipe' })
  } catch (error) {
    // Without arguments it prints its usage and exits with 2.
    if (!(error instanceof Error && 'status' in error && error.status === 2)) throw error
  }
  return program
}

function folderIsPrivate(paths: Paths): string {
  const stat = statSync(paths.runFolder, { throwIfNoEntry: false })
  if (stat === undefined) return `${paths.runFolder} (not there yet)`
  if (stat.uid !== process.getuid?.()) throw new Error(`${paths.runFolder} belongs to another user`)
  if ((stat.mode & 0o077) !== 0) throw new Error(`${paths.runFolder} is open to other users`)
  return paths.runFolder
}

async function terminalAnswers(
  connect: (options: { readonly mayStart: boolean }) => Promise<DaemonClient>,
): Promise<string> {
  const client = await connect({ mayStart: true })
  const { exitCode, output, terminalId, durationMs } = await client.call('run', { command: 'echo it works' })
  await client.call('close', { terminalId })
  await client.close()
  if (exitCode !== 0 || !output.includes('it works')) throw new Error(`a command gave ${exitCode}: ${output}`)
  return `a command ran in ${durationMs} ms`
}

/** A program that waits for a line is certain to wait, where the kernel lets us see its calls. */
async function kernelTells(
  connect: (options: { readonly mayStart: boolean }) => Promise<DaemonClient>,
): Promise<string> {
  const client = await connect({ mayStart: true })
  const { terminalId, confidence } = await client.call('create', { command: ['cat'], waitTimeoutMs: 10_000 })
  await client.call('close', { terminalId })
  await client.close()
  if (confidence === 'certain') return 'readable: a program that waits is known with certainty'
  throw new Error(`hidden (${whatHides()}); a waiting program is known with ${confidence ?? 'no'} confidence`)
}

function whatHides(): string {
  const scope = readIfThere('/proc/sys/kernel/yama/ptrace_scope')?.trim()
  const hidepid = /\shidepid=(\w+)/.exec(readIfThere('/proc/mounts')?.replaceAll(',', ' ') ?? '')?.[1]
  const reasons = [
    ...(Number(scope) > 1 ? [`kernel.yama.ptrace_scope is ${scope}; 1 would do`] : []),
    ...(hidepid === undefined || hidepid === '0' ? [] : [`/proc is mounted with hidepid=${hidepid}`]),
  ]
  return reasons.length > 0 ? reasons.join(', ') : 'by a container or a security module'
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // Not every kernel has it, and then it restricts nothing.
    return null
  }
}
