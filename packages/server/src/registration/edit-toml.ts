/**
 * One table in a TOML file set or taken out, with every other byte as it was.
 *
 * A table is its header's line and what follows to the next header. The new text is parsed and must differ from the
 * file in that table alone; if it does not (a table written inline, for example) the file is left alone.
 */

import { isDeepStrictEqual } from 'node:util'
import { isObject } from '@agentpty/protocol/wire'
import { parse as parseToml, stringify } from 'smol-toml'
import { MalformedFile } from './edit-json.ts'

type Path = readonly [string, string]
type Table = Readonly<Record<string, unknown>>

/** Null when there is nothing at the path. Errors: {@link MalformedFile}. */
export function readToml(text: string, path: readonly string[]): unknown {
  const found = path.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), parse(text))
  return plain(found ?? null)
}

/** Errors: {@link MalformedFile}. */
export function setToml(text: string, path: Path, value: Table): string {
  const [group, name] = path
  const without = readToml(text, path) === null ? text : removeToml(text, path)
  const gap = without === '' || without.endsWith('\n\n') ? '' : without.endsWith('\n') ? '\n' : '\n\n'
  const made = `${without}${gap}${stringify({ [group]: { [name]: value } }).trimEnd()}\n`
  return checked(made, withTable(parse(text), path, value))
}

/** Errors: {@link MalformedFile}. */
export function removeToml(text: string, path: Path): string {
  const lines = text.split(/(?<=\n)/)
  const [group, name] = path
  let isInside = false
  const kept = lines.filter((line) => {
    const header = headerOf(line)
    if (header !== null) isInside = header[0] === group && header[1] === name
    return !isInside
  })
  return checked(kept.join('').replace(/\n{2,}$/, '\n'), withTable(parse(text), path, undefined))
}

/** `[a.b."c d"]` as its keys; null for a line that is no header. */
function headerOf(line: string): readonly string[] | null {
  const inner = /^\s*\[([^[\]]+)\]\s*(?:#.*)?$/.exec(line.trimEnd())?.[1]
  if (inner === undefined) return null
  return [...inner.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|([^.\s"']+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '')
}

function withTable(root: Table, [group, name]: Path, value: Table | undefined): Table {
  const tables = isObject(root[group]) ? root[group] : {}
  const { [name]: _old, ...others } = tables
  const { [group]: _tables, ...rest } = root
  const next = value === undefined ? others : { ...others, [name]: value }
  return Object.keys(next).length === 0 ? rest : { ...rest, [group]: next }
}

function checked(text: string, want: Table): string {
  const got = parse(text)
  if (isDeepStrictEqual(plain(got), plain(want))) return text
  throw new MalformedFile('its table is written in a way that cannot be changed without the rest')
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

function parse(text: string): Table {
  try {
    return parseToml(text)
  } catch (error) {
    throw new MalformedFile(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error))
  }
}
