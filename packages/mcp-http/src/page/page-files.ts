/** The files of the page as the build has written them, each in the forms in which browsers take them. They are public and hold no data. */

import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'

export interface PageFile {
  readonly type: string
  /** By the name of the encoding; `identity` is always there. */
  readonly forms: ReadonlyMap<string, Uint8Array<ArrayBuffer>>
}

export interface PageFiles {
  /** The document, with `{{nonce}}` where the nonce belongs. */
  readonly document: string
  /** By name. Their names change with their contents. */
  readonly assets: ReadonlyMap<string, PageFile>
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/** Errors: those of the file system, where the page was not built. */
export function readPageFiles(folder: string): PageFiles {
  const assets = join(folder, 'assets')
  const names = readdirSync(assets)
  const read = (name: string) => new Uint8Array(readFileSync(join(assets, name)))
  const known = names.flatMap((name): [string, PageFile][] => {
    const type = types[extname(name)]
    if (type === undefined) return []
    const encoded = encodings.filter(([, ending]) => names.includes(name + ending))
    const forms = new Map([
      ['identity', read(name)],
      ...encoded.map(([form, ending]) => [form, read(name + ending)] as const),
    ])
    return [[name, { type, forms }]]
  })
  return { document: readFileSync(join(folder, 'index.html'), 'utf8'), assets: new Map(known) }
}

/** The smallest form that the browser takes. */
export function formFor(
  { forms }: PageFile,
  accepted: string,
): readonly [encoding: string, bytes: Uint8Array<ArrayBuffer>] {
  const taken = accepted.split(',').map((one) => one.trim().replace(/;.*$/s, ''))
  const form = encodings.map(([name]) => name).find((name) => taken.includes(name) && forms.has(name)) ?? 'identity'
  return [form, forms.get(form) ?? new Uint8Array()]
}
