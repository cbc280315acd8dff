/** The conversations that an agent may be in whose program has chosen the id: by the transcripts that it writes. */

import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Adapter } from '../../contracts/agents/adapter.ts'

export interface Begun {
  /** Of the user. */
  readonly home: string
  /** In which the agent was started, and when, in ms since 1970. */
  readonly cwd: string
  readonly startedAt: number
}

/** A transcript says at its beginning in which folder it was begun. */
const headBytes = 64 * 1024
/** A file may be a little older than the clock says. */
const clockMs = 2_000
const id = '([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})'

/** Ids of those that were begun in this folder since then, in no order. Empty where its transcripts are not known. */
export function findConversations({ transcripts }: Pick<Adapter, 'transcripts'>, begun: Begun): readonly string[] {
  return [...new Set(transcripts.filter((shape) => shape.includes('{id}')).flatMap((shape) => inShape(shape, begun)))]
}

function inShape(shape: string, { home, cwd, startedAt }: Begun): readonly string[] {
  const fixed = shape.split('/').slice(
    0,
    shape.split('/').findIndex((part) => /[*{]/.test(part)),
  )
  const expression = expressionOf(shape)
  return filesBelow(join(home, ...fixed)).flatMap((file) => {
    const found = expression.exec(relative(home, file))?.[1]
    if (found === undefined || statSync(file).mtimeMs < startedAt - clockMs) return []
    const isOlder = statSync(file).birthtimeMs < startedAt - clockMs
    return isOlder || !headOf(file).includes(`"cwd":${JSON.stringify(cwd)}`) ? [] : [found]
  })
}

/** `*` stands for any name, `**` for any folders. */
function expressionOf(shape: string): RegExp {
  const escaped = shape.replaceAll(/[.+?^$()|[\]\\]/g, String.raw`\$&`)
  const filled = escaped
    .replaceAll('**/', '\0')
    .replaceAll('*', '[^/]*?')
    .replaceAll('\0', '(?:[^/]+/)*')
    .replace('{id}', id)
  return new RegExp(`^${filled}$`)
}

function filesBelow(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    return entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []))
  } catch {
    // The program has written none yet.
    return []
  }
}

function headOf(file: string): string {
  const descriptor = openSync(file, 'r')
  try {
    const head = Buffer.alloc(headBytes)
    return head.subarray(0, readSync(descriptor, head, 0, headBytes, 0)).toString('utf8')
  } finally {
    closeSync(descriptor)
  }
}
