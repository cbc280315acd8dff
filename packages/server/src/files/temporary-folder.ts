/**
 * A folder in the system's folder for temporary files that never outlives its owner by more than a few seconds.
 *
 * A small shell watches its owner through a pipe. When the owner ends without removing the folder, killed or not, the shell reads the end of
 * the pipe and removes it. It tries again for a while: programs of the owner may still write while they end.
 */

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TemporaryFolder {
  readonly path: string
  /** Removes the folder and ends its watch. Errors: what could not be removed. */
  remove(): Promise<void>
}

const tries = 10
const pauseSeconds = 0.3

const watch = `trap '' HUP INT TERM
read -r word && exit
for try in $(seq ${tries}); do
  chmod -R u+rwX "$1" 2>/dev/null
  rm -rf "$1" 2>/dev/null
  sleep ${pauseSeconds}
done`

/** `prefix`: of its name. */
export function temporaryFolder(prefix: string): TemporaryFolder {
  const path = join(tmpdir(), `${prefix}${randomBytes(6).toString('hex')}`)
  // Before the folder: an owner that is killed in between leaves none.
  const watcher = spawn('/bin/sh', ['-c', watch, 'agentpty-sweep', path], {
    // Signals of the owner's terminal and process group are for the owner.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
  })
  // Without a shell the folder is there all the same, and is removed by its owner alone.
  watcher.on('error', () => undefined)
  watcher.stdin.on('error', () => undefined)
  watcher.unref()
  if ('unref' in watcher.stdin) (watcher.stdin as { unref(): void }).unref()
  mkdirSync(path, { mode: 0o700 })
  return {
    path,
    remove: async () => {
      await rm(path, { recursive: true, force: true })
      watcher.stdin.end('removed\n')
    },
  }
}
