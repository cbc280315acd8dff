/**
 * The files that lead to the HTTP server: written when no running server has them, removed by the server that wrote
 * them.
 *
 * Of two servers that write at the same moment one has the file: it is made by a link, which fails when there is a
 * file. A stale file is moved away before, and put back if it turns out to be a new one.
 */

import { readFileSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Clock, discoveryFileBytesMax, makeFolder } from '@agentpty/protocol'
import { type DiscoveryFile, type DiscoveryState, discoveryFiles, type ServedAt } from '@agentpty/protocol/home'
import { createPrivate, removeUnchanged } from '../files/index.ts'
import { askHealth } from './ask-health.ts'

/** How often we try to take a file over while another server does so too. */
const attemptsMax = 3

/** Writes the files. One that could not be written is reported, and does no harm. */
export function announce(served: ServedAt, home: string, clock: Clock): Promise<readonly DiscoveryState[]> {
  return Promise.all(
    discoveryFiles(home).map(async (file) => {
      try {
        return await claim(file, served, clock)
      } catch (error) {
        return { path: file.path, kind: 'failed', detail: error instanceof Error ? error.message : String(error) }
      }
    }),
  )
}

/** Removes our files. Call it while the port is still held, because nobody else can have written it before. */
export function withdraw(served: ServedAt, home: string): void {
  for (const { path, write } of discoveryFiles(home)) {
    try {
      if (readDiscovery(path) !== write(served)) continue
      rmSync(path)
      if (dirname(path) !== home) rmdirSync(dirname(path))
    } catch {
      // A file that cannot be read or removed stays, as after a kill: the next server finds that nobody answers. A
      // folder
      // that holds something else stays as well.
    }
  }
}

/** Null without a file. Errors: a file that is too large, or cannot be read. */
export function readDiscovery(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return null
  if (!stat.isFile() || stat.size > discoveryFileBytesMax) throw new Error(`${path} is something else`)
  return readFileSync(path, 'utf8')
}

async function claim(file: DiscoveryFile, served: ServedAt, clock: Clock): Promise<DiscoveryState> {
  const { path } = file
  makeFolder(dirname(path))
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const found = readDiscovery(path)
    const port = found === null ? null : file.portIn(found)
    // A file that names our own port was left by an earlier server. So was the file of a process that has ended,
    // whoever has
    // its port now.
    const isLeft = port === null || port === served.port || hasEnded(file.pidIn(found ?? ''))
    if (!isLeft) {
      const answerer = await askHealth(port, clock)
      if (answerer === 'server' || answerer === 'silent') return { path, kind: 'others', detail: `port ${port}` }
    }
    if (found !== null) removeUnchanged(path, found)
    if (createPrivate(path, file.write(served))) return { path, kind: 'ours', detail: `port ${served.port}` }
  }
  return { path, kind: 'others', detail: 'several servers start at once' }
}

function hasEnded(pid: number | null): boolean {
  if (pid === null) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
