/** An entry for a server in a client's file. Each client spells the same few things in its own way. */

import * as z from 'zod'

const Texts = z.record(z.string(), z.string())

const Entry = z.object({
  command: z.union([z.string(), z.array(z.string())]).optional(),
  cmd: z.string().optional(),
  args: z.array(z.string()).optional(),
  env: Texts.optional(),
  environment: Texts.optional(),
  envs: Texts.optional(),
  cwd: z.string().optional(),
  url: z.string().optional(),
  httpUrl: z.string().optional(),
  serverUrl: z.string().optional(),
  uri: z.string().optional(),
  headers: Texts.optional(),
  http_headers: Texts.optional(),
  enabled: z.boolean().optional(),
  disabled: z.boolean().optional(),
})

export type EntryWay =
  | {
      readonly kind: 'stdio'
      readonly command: readonly string[]
      readonly env: Readonly<Record<string, string>>
      /** Null: where the client runs. */
      readonly cwd: string | null
    }
  | { readonly kind: 'http'; readonly url: string; readonly headers: Readonly<Record<string, string>> }

export interface RegisteredEntry {
  /** What the client calls the server. */
  readonly name: string
  readonly isEnabled: boolean
  /** Null when it names neither a command nor an address. */
  readonly way: EntryWay | null
}

export function parseEntry(name: string, value: unknown): RegisteredEntry {
  const { success, data: entry } = Entry.safeParse(value)
  if (!success) return { name, isEnabled: true, way: null }
  return { name, isEnabled: entry.enabled !== false && entry.disabled !== true, way: wayOf(entry) }
}

function wayOf(entry: z.infer<typeof Entry>): EntryWay | null {
  const command = [entry.command ?? entry.cmd ?? [], entry.args ?? []].flat()
  if (command.length > 0) {
    const env = entry.env ?? entry.environment ?? entry.envs ?? {}
    return { kind: 'stdio', command, env, cwd: entry.cwd ?? null }
  }
  const url = entry.httpUrl ?? entry.serverUrl ?? entry.url ?? entry.uri
  if (url === undefined || !URL.canParse(url)) return null
  return { kind: 'http', url, headers: entry.headers ?? entry.http_headers ?? {} }
}
