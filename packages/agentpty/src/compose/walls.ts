/** Puts together what walls need: the rules that want them, the folders they hide, and the proxies that lead out of them. */

import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Host } from '@agentpty/engine/host'
import { systemClock } from '@agentpty/engine/system-clock'
import { Proxies } from '@agentpty/mcp-http/proxy'
import type { Walls } from '@agentpty/protocol/sandbox'
import { TaskFolders } from '@agentpty/server/agents'
import { makeWalls } from '@agentpty/server/sandbox'
import type { PolicyRules } from '@agentpty/shell-policy'
import { packageFile } from './own-host.ts'

export interface WallsPlaces {
  /** Folders of this agentpty, which no program inside sees. */
  readonly own: readonly string[]
  /** A private one with a short path, for sockets. */
  readonly folder: string
  readonly userId: number
}

/** Returns the rules of all of these folders together; the same object until something changes. */
export type RulesFor = (folders: readonly string[]) => PolicyRules

export async function wallsFor(host: Host, rulesFor: RulesFor, { own, folder, userId }: WallsPlaces): Promise<Walls> {
  const proxies = new Proxies(folder, systemClock)
  const taskFolders = new TaskFolders(folder)
  const keep = () => {
    const sandboxes = host.sessions.map(({ info: { sandbox } }) => sandbox)
    taskFolders.keep(new Set(sandboxes.flatMap((one) => one?.taskFolder ?? [])))
    return proxies.keep(sandboxes.flatMap(neededBy))
  }
  // Terminals of an earlier daemon continue, and find their proxies at the same path.
  await keep()
  // A socket that cannot be made leaves its sandbox without a network, which its programs see.
  host.onChange(() => void keep().catch(() => undefined))
  return makeWalls({
    requiredIn: (folders) => rulesFor(folders).sandboxes.map(({ value }) => value),
    own,
    shellScripts: packageFile('shell-integration'),
    emptyFile: () => emptyFileIn(folder),
    openProxy: (hosts) => proxies.open(hosts),
    taskFolders,
    userId,
  })
}

function neededBy(sandbox: Host['sessions'][number]['info']['sandbox']) {
  const { proxyFolder, network } = sandbox ?? { proxyFolder: null, network: 'off' }
  return proxyFolder === null || typeof network === 'string' ? [] : [{ folder: proxyFolder, hosts: network }]
}

function emptyFileIn(folder: string): string {
  const path = join(folder, 'empty')
  if (!existsSync(path)) writeFileSync(path, '', { mode: 0o444 })
  return path
}
