/**
 * Programs of this machine that never outlive their owner, killed or not.
 *
 * The program leads a process group of its own. A small shell in the group watches the owner through a pipe and kills the group when it
 * reads the end of the pipe. The group ends with its first program too, so nothing that this has left in the background stays.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { defined } from '@agentpty/protocol'

export interface OwnedProgram {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  /** Resolves when the program has ended and its output was read: to its exit code, null after a signal. Rejects where it cannot be started. */
  readonly ended: Promise<number | null>
  /** Kills the whole group. */
  kill(): void
}

interface OwnedOptions {
  readonly cwd?: string
  readonly env: NodeJS.ProcessEnv
  /** Killed after this time. */
  readonly timeoutMs?: number
}

const watched = `(exec </dev/null >/dev/null 2>&1; read -r word <&3; kill -KILL 0) &
exec "$@" 3<&-`

export function startOwned(
  command: readonly [string, ...string[]],
  { cwd, env, timeoutMs }: OwnedOptions,
): OwnedProgram {
  const child = spawn('/bin/sh', ['-c', watched, 'agentpty-owned', ...command], {
    // The interrupt of a person's terminal goes to the owner, which decides.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    killSignal: 'SIGKILL',
    env,
    ...defined({ cwd, timeout: timeoutMs }),
  })
  let isOver = false
  const kill = () => {
    // Until then the watching shell keeps the number of the group in use.
    if (!isOver) killGroup(child)
  }
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', () => {
      kill()
      isOver = true
    })
    child.once('close', resolve)
  })
  // It may be awaited later.
  ended.catch(() => undefined)
  return { stdin: child.stdin, stdout: child.stdout, stderr: child.stderr, ended, kill }
}

function killGroup({ pid, stdio }: ChildProcess): void {
  stdio[3]?.destroy()
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has ended.
  }
}
