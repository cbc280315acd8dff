/** The test's side of the server, below /__fake/: the log, the held answers, and the script. */

import type { EventLog } from './event-log.ts'
import type { Holds } from './holds.ts'
import type { WrittenScript } from './script.ts'

export interface ControlRequest {
  readonly url: URL
  readonly body: string
  readonly log: EventLog
  readonly holds: Holds
  readonly setScript: (script: WrittenScript) => void
}

export interface ControlAnswer {
  readonly status: number
  readonly body: unknown
}

export function control({ url, body, log, holds, setScript }: ControlRequest): ControlAnswer {
  switch (url.pathname.slice('/__fake/'.length)) {
    case 'log':
      return { status: 200, body: log.events }
    case 'held':
      return { status: 200, body: holds.names }
    case 'release':
      return { status: 200, body: { released: release(holds, log, url.searchParams.get('name')) } }
    case 'script':
      return replaceScript(body, setScript)
    default:
      return { status: 404, body: { error: 'control knows log, held, release and script' } }
  }
}

function replaceScript(body: string, setScript: ControlRequest['setScript']): ControlAnswer {
  try {
    setScript(JSON.parse(body))
    return { status: 200, body: { ok: true } }
  } catch (error) {
    return { status: 400, body: { error: String(error) } }
  }
}

export function release(holds: Holds, log: EventLog, name: string | null): number {
  const names = name === null ? holds.names : [name]
  log.add('release', { names })
  return holds.release(name)
}
