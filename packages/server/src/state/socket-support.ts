/** Where sockets can be made: not every file system has them, some network homes and FAT among them. */

import { rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type Paths, socketsIn } from '@agentpty/protocol/home'
import { ensurePrivateFolder } from '../files/index.ts'

/** Why the file system refuses a socket. */
const refusals: ReadonlySet<string> = new Set(['EOPNOTSUPP', 'ENOTSUP', 'EPERM', 'EINVAL'])

/** Makes a socket at the path and removes it. Null when that works, else the code of the error. */
export type TryBind = (path: string) => Promise<string | null>

/**
 * The paths with a folder in which sockets can be made; the folder is made. All daemons of a machine get the same one.
 * Errors: `environment`.
 */
export async function withSockets(paths: Paths, userId: number, tryBind: TryBind = bindOnce): Promise<Paths> {
  const { runFolder, shortRunFolder } = paths
  ensurePrivateFolder(runFolder, userId)
  if (runFolder === shortRunFolder) return paths
  const refused = await tryBind(join(runFolder, `try-${process.pid}.sock`))
  if (refused === null || !refusals.has(refused)) return paths
  ensurePrivateFolder(shortRunFolder, userId)
  return { ...paths, ...socketsIn(shortRunFolder) }
}

function bindOnce(path: string): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      rmSync(path, { force: true })
      resolve(error.code ?? 'unknown')
    })
    server.listen(path, () => server.close(() => resolve(null)))
  })
}
