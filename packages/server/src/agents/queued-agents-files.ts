/** The agents of an instance that wait for others: a file each. */

import { join } from 'node:path'
import { KeptQueuedAgent, type QueuedAgentStore } from '@agentpty/protocol/agents'
import { namesIn, privateJsonFile, type SetAside, safeName } from '../files/index.ts'

const ending = '.json'
const advice = 'Make it readable, or remove it: the agent is not started then.'

/** `folder` is private to the user, and made when something is kept. */
export function queuedAgentStore(folder: string, report: SetAside): QueuedAgentStore {
  const file = (name: string) =>
    privateJsonFile(join(folder, name), { schema: KeptQueuedAgent, advice, setAside: report })
  const fileOf = (name: string) => file(`${safeName(name)}${ending}`)
  return {
    load: () =>
      namesIn(folder)
        .filter((name) => name.endsWith(ending))
        .flatMap((name) => file(name).read() ?? [])
        .toSorted((a, b) => a.queuedAt - b.queuedAt),
    save: (queued) => fileOf(queued.name).write(queued),
    drop: (name) => fileOf(name).remove(),
  }
}
