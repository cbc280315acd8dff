/** The files whose paths have a shape: `*` stands for any name, `**` for any folders. No links are followed below the folder. */

import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { transcriptNamesMax } from '@agentpty/protocol/agents'

export interface FoundFile {
  readonly path: string
  /** What stands in its path for `{id}`, or `{short}`; null where the shape has neither. */
  readonly id: string | null
}

/** `{id}` as programs write it. */
const anyId = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const shortCharacters = 8

/** By name, the last first: dates are in many. `id`: only those of this conversation. */
export async function* findFiles(folder: string, shape: string, id: string | null): AsyncGenerator<FoundFile> {
  yield* below({ folder, parts: shape.split('/'), id, found: null }, { names: 0 })
}

interface Looking {
  readonly folder: string
  readonly parts: readonly string[]
  readonly id: string | null
  readonly found: string | null
}

async function* below(looking: Looking, seen: { names: number }): AsyncGenerator<FoundFile> {
  const { folder, parts, id, found } = looking
  const [part = '', ...rest] = parts
  const only = nameOf(part, id)
  if (only !== null && rest.length > 0) {
    yield* below({ ...looking, folder: join(folder, only), parts: rest }, seen)
    return
  }
  if (part === '**') yield* below({ ...looking, parts: rest }, seen)
  const pattern = part === '**' ? /^/ : patternOf(part, id)
  for (const entry of await entriesOf(folder)) {
    seen.names += 1
    if (seen.names > transcriptNamesMax) return
    const match = pattern.exec(entry.name)
    if (match === null) continue
    const path = join(folder, entry.name)
    const next = match[1] ?? found
    if (part === '**' ? entry.isDirectory() : rest.length > 0 && entry.isDirectory())
      yield* below({ id, folder: path, parts: part === '**' ? parts : rest, found: next }, seen)
    else if (part !== '**' && rest.length === 0 && entry.isFile()) yield { path, id: next }
  }
}

/** Null where the part has several names. */
function nameOf(part: string, id: string | null): string | null {
  if (part.includes('*') || (id === null && part.includes('{'))) return null
  return part.replace('{id}', id ?? '').replace('{short}', id?.slice(0, shortCharacters) ?? '')
}

function patternOf(part: string, id: string | null): RegExp {
  const escaped = part.replaceAll(/[.+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll('*', '[^/]*?')
  const [whole, short] = [id ?? anyId, id?.slice(0, shortCharacters) ?? `[0-9a-f]{${shortCharacters}}`]
  return new RegExp(
    `^${escaped.replace('{id}', `(${escapedId(whole, id)})`).replace('{short}', `(${escapedId(short, id)})`)}$`,
  )
}

/** An id that somebody has named may be any word. */
const escapedId = (text: string, id: string | null) =>
  id === null ? text : text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** The last by name first; none where there is no such folder. */
async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return entries.sort((a, b) => (a.name < b.name ? 1 : -1))
  } catch {
    // The program has written none yet.
    return []
  }
}
