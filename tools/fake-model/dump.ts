/** Saves requests as files, for writing the recipe of a new client. */

import { mkdirSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import path from 'node:path'

type Dump = (id: number, incoming: IncomingMessage, body: string) => void

const secret = new Set(['authorization', 'x-api-key', 'x-goog-api-key', 'cookie'])

export function dumper(folder: string | undefined): Dump {
  if (folder === undefined) return () => {}
  mkdirSync(folder, { recursive: true })
  return (id, { method, url, headers }, body) => {
    const shown = Object.entries(headers).map(([name, value]) => [name, secret.has(name) ? '[redacted]' : value])
    const record = { method, url, headers: Object.fromEntries(shown), body: parsed(body) }
    writeFileSync(path.join(folder, `${String(id).padStart(4, '0')}.json`), JSON.stringify(record, null, 1))
  }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    // Saved unchanged: a request that is not JSON is of special interest.
    return body
  }
}
