/** The agents of an instance that wait for others: a file each. */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { KeptQueuedAgent, type QueuedAgentStore } from '@agentpty/protocol/agents'
import {
  isSetAside,
  namesIn,
  readPrivateJson,
  type SetAside,
  safeName,
  setAside,
  writePrivate,
} from '../files/index.ts'

const advice = 'Make it readable, or remove it: the agent is not started then.'

/** `folder` is private to the user, and made when something is kept. */
export function queuedAgentStore(folder: string, told: SetAside): QueuedAgentStore {
  const file = (name: string) => join(folder, `${safeName(name)}.json`)
  return {
    load: () =>
      namesIn(folder)
        .filter((name) => !isSetAside(name) && name.endsWith('.json'))
        .flatMap((name) => queuedIn(join(folder, name), told))
        .toSorted((a, b) => a.queuedAt - b.queuedAt),
    save: (queued) => writePrivate(file(queued.name), JSON.stringify(queued)),
    drop: (name) => rmSync(file(name), { force: true }),
  }
}

/** None for one whose file is torn, or of another kind. */
function queuedIn(path: string, told: SetAside): readonly KeptQueuedAgent[] {
  const queued = KeptQueuedAgent.safeParse(readPrivateJson(path, advice))
  if (!queued.success) setAside(path, told)
  return queued.success ? [queued.data] : []
}
