import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { defined } from '@agentpty/protocol'
import {
  type EntryTemplate,
  type RegistrableClient,
  type Registration,
  registrableClients,
  rosterRow,
} from '@agentpty/protocol/agents'
import { parseDocument } from 'yaml'
import { MalformedFile, readJson, removeJson, setJson } from './edit-json.ts'
import { readToml, removeToml, setToml } from './edit-toml.ts'

type Path = readonly string[]

/**
 * One value in a YAML file set or taken out, with its comments as they were.
 *
 * Null when there is nothing at the path. Errors: {@link MalformedFile}.
 */
function readYaml(text: string, path: Path): unknown {
  const found = parse(text).getIn([...path])
  return toPlain(found)
}

/** Errors: {@link MalformedFile}. */
function setYaml(text: string, path: Path, value: unknown): string {
  const document = parse(text)
  document.setIn([...path], document.createNode(value))
  return document.toString()
}

/** Errors: {@link MalformedFile}. */
function removeYaml(text: string, path: Path): string {
  const document = parse(text)
  document.deleteIn([...path])
  return document.toString()
}

function parse(text: string) {
  const document = parseDocument(text)
  const [first] = document.errors
  if (first !== undefined) throw new MalformedFile(first.message.split('\n')[0] ?? '')
  return document
}

function toPlain(node: unknown): unknown {
  const isNode = typeof node === 'object' && node !== null && 'toJSON' in node && typeof node.toJSON === 'function'
  return isNode ? (node as { toJSON(): unknown }).toJSON() : (node ?? null)
}

/** The clients that agentpty can register with: where each keeps its servers, and how it writes one. */
export interface UserFolders {
  readonly home: string
  /** XDG_CONFIG_HOME, or its default. */
  readonly config: string
  readonly isMac: boolean
  /** Where the command runs. */
  readonly cwd: string
}

export type Entry = Readonly<Record<string, unknown>>

/** A server that the client starts. */
interface Started {
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

interface Address {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** A way to write files. All throw {@link MalformedFile}. */
interface Format {
  readonly read: (text: string, path: readonly string[]) => unknown
  readonly set: (text: string, path: readonly [group: string, name: string], entry: Entry) => string
  readonly remove: (text: string, path: readonly [group: string, name: string]) => string
}

export interface KnownClient {
  readonly name: RegistrableClient
  readonly title: string
  /** Programs whose presence says that it is installed. */
  readonly programs: readonly string[]
  readonly file: (folders: UserFolders) => string
  readonly format: Format
  /** The key of its file below which the servers are. */
  readonly group: string
  /** Where servers of a single folder are, which take precedence over those of the same name; we write none there. */
  readonly groupOf?: (cwd: string) => readonly string[]
  readonly byCommand: (started: Started, name: string) => Entry
  /** The entry of a server at an address; null when the client takes no address with headers. */
  readonly byAddress: ((address: Address, name: string) => Entry) | null
}

const formats: Readonly<Record<Registration['format'], Format>> = {
  json: { read: readJson, set: setJson, remove: removeJson },
  toml: { read: readToml, set: setToml, remove: removeToml },
  yaml: { read: readYaml, set: setYaml, remove: removeYaml },
}

/** A client's own file: of several names the first that exists, else the usual one. */
function fileOf({ folder, file, newFile }: Registration, folders: UserFolders): string {
  const inFolder = (name: string) => join(folderOf(folder, folders), name)
  if (typeof file === 'string') return inFolder(file)
  return file.map(inFolder).find((name) => existsSync(name)) ?? inFolder(newFile ?? file[0] ?? '')
}

function folderOf(folder: Registration['folder'], { home, config, isMac }: UserFolders): string {
  if (folder === 'home') return home
  return folder === 'desktop' && isMac ? join(home, 'Library/Application Support') : config
}

/** The entry by its template. A field without variables is left out. */
function entryOf(template: EntryTemplate, values: Readonly<Record<string, unknown>>): Entry {
  const fields = Object.entries(template).map(([key, value]) => {
    const name = typeof value === 'string' ? /^\{(\w+)\}$/.exec(value)?.[1] : undefined
    return [key, name === undefined ? value : values[name]] as const
  })
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined))
}

function byCommand(template: EntryTemplate): KnownClient['byCommand'] {
  return ({ command, env }, name) => {
    const [program = '', ...args] = command
    const hasVariables = Object.keys(env).length > 0
    return entryOf(template, { name, program, args, words: [...command], env: hasVariables ? env : undefined })
  }
}

export const knownClients: readonly KnownClient[] = registrableClients.map((name) => {
  const { title, commands, registration } = rosterRow(name)
  const way: Registration = registration
  const { folderGroup, byAddress } = way
  return defined({
    name,
    title,
    programs: commands,
    file: (folders: UserFolders) => fileOf(way, folders),
    format: formats[way.format],
    group: way.group,
    groupOf: folderGroup && ((cwd: string) => folderGroup.map((part) => (part === '{cwd}' ? cwd : part))),
    byCommand: byCommand(way.byCommand),
    byAddress: byAddress && ((address: Address, name: string) => entryOf(byAddress, { name, ...address })),
  })
})
