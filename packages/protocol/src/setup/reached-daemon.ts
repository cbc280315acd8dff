/** How the doctor asks which daemon a registered entry leads to: its list of tools tells it, under a key of its own. */

import { isObject, type JsonObject } from '../wire/json-lines.ts'

/** The name under which the doctor connects. */
export const doctorName = 'agentpty-doctor'

export const reachedDaemonKey = 'agentpty/daemon'

export interface ReachedDaemon {
  readonly pid: number
  readonly stateFolder: string
  readonly socket: string
}

/** Null for a server that does not tell, as an older one. */
export function parseReachedDaemon(result: JsonObject): ReachedDaemon | null {
  const meta = result['_meta']
  const value = isObject(meta) ? meta[reachedDaemonKey] : null
  if (!isObject(value)) return null
  const { pid, stateFolder, socket } = value
  if (typeof pid !== 'number' || typeof stateFolder !== 'string' || typeof socket !== 'string') return null
  return { pid, stateFolder, socket }
}
