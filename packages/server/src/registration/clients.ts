import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type RegistrableClient, rosterRow } from '@agentpty/protocol/agents'
import { parseDocument } from 'yaml'
import { MalformedFile, readJson, removeJson, setJson } from './edit-json.ts'
import { readToml, removeToml, setToml } from './edit-toml.ts'

/** One value in a YAML file set or taken out, with its comments as they were. */

type Path = readonly string[]

/** Null when there is nothing at the path. Errors: {@link MalformedFile}. */
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

const json: Format = { read: readJson, set: setJson, remove: removeJson }
const toml: Format = { read: readToml, set: setToml, remove: removeToml }
const yaml: Format = { read: readYaml, set: setYaml, remove: removeYaml }

const split = ({ command: [command = '', ...args], env }: Started) => ({ command, args, ...variables('env', env) })
/** No key without a variable. */
const variables = (key: string, env: Started['env']) => (Object.keys(env).length === 0 ? {} : { [key]: env })
const asIs = ({ url, headers }: Address) => ({ url, headers })

/** A client's own file: the first of its names that exists, else the usual one. */
const firstThere = (folder: string, names: readonly string[], usual: string) =>
  join(folder, names.find((name) => existsSync(join(folder, name))) ?? usual)

/** The folder in which desktop programs keep their files. */
const desktop = ({ home, config, isMac }: UserFolders) => (isMac ? join(home, 'Library/Application Support') : config)

/** How a file is written; the names of clients are in the roster. */
type ClientFile = Omit<KnownClient, 'title' | 'programs'>

/** The usual JSON, in a file at `path` below the home folder. */
const inHome = (name: RegistrableClient, path: string, byAddress: KnownClient['byAddress']): ClientFile => ({
  name,
  file: ({ home }) => join(home, path),
  format: json,
  group: 'mcpServers',
  byCommand: split,
  byAddress,
})

const clientFiles: readonly ClientFile[] = [
  {
    name: 'claude',
    file: ({ home }) => join(home, '.claude.json'),
    format: json,
    group: 'mcpServers',
    groupOf: (cwd) => ['projects', cwd, 'mcpServers'],
    byCommand: (started) => ({ type: 'stdio', ...split(started) }),
    byAddress: (address) => ({ type: 'http', ...asIs(address) }),
  },
  {
    name: 'codex',
    file: ({ home }) => join(home, '.codex/config.toml'),
    format: toml,
    group: 'mcp_servers',
    byCommand: split,
    byAddress: ({ url, headers }) => ({ url, http_headers: headers }),
  },
  inHome('gemini', '.gemini/settings.json', ({ url, headers }) => ({ httpUrl: url, headers })),
  {
    name: 'copilot',
    file: ({ home }) => join(home, '.copilot/mcp-config.json'),
    format: json,
    group: 'mcpServers',
    byCommand: (started) => ({ type: 'local', ...split(started), tools: ['*'] }),
    byAddress: (address) => ({ type: 'http', ...asIs(address), tools: ['*'] }),
  },
  {
    name: 'opencode',
    // It reads all of them; a setting that is in several is taken from the first.
    file: ({ config }) =>
      firstThere(join(config, 'opencode'), ['opencode.jsonc', 'opencode.json', 'config.json'], 'opencode.json'),
    format: json,
    group: 'mcp',
    byCommand: ({ command, env }) => ({
      type: 'local',
      command: [...command],
      enabled: true,
      ...variables('environment', env),
    }),
    byAddress: (address) => ({ type: 'remote', ...asIs(address), enabled: true }),
  },
  inHome('qwen', '.qwen/settings.json', ({ url, headers }) => ({ httpUrl: url, headers })),
  inHome('cursor', '.cursor/mcp.json', asIs),
  inHome('windsurf', '.codeium/windsurf/mcp_config.json', ({ url, headers }) => ({ serverUrl: url, headers })),
  {
    name: 'vscode',
    file: (folders) => join(desktop(folders), 'Code/User/mcp.json'),
    format: json,
    group: 'servers',
    byCommand: (started) => ({ type: 'stdio', ...split(started) }),
    byAddress: (address) => ({ type: 'http', ...asIs(address) }),
  },
  {
    name: 'claude-desktop',
    file: (folders) => join(desktop(folders), 'Claude/claude_desktop_config.json'),
    format: json,
    group: 'mcpServers',
    byCommand: split,
    // Its file takes only commands; addresses are entered in its settings and called from its servers.
    byAddress: null,
  },
  {
    name: 'zed',
    file: ({ config }) => join(config, 'zed/settings.json'),
    format: json,
    group: 'context_servers',
    byCommand: (started) => ({ source: 'custom', ...split(started) }),
    byAddress: asIs,
  },
  {
    name: 'goose',
    file: ({ config }) => join(config, 'goose/config.yaml'),
    format: yaml,
    group: 'extensions',
    byCommand: ({ command: [cmd = '', ...args], env }, name) => ({
      name,
      type: 'stdio',
      cmd,
      args,
      enabled: true,
      timeout: 300,
      ...variables('envs', env),
    }),
    byAddress: ({ url: uri, headers }, name) => ({
      name,
      type: 'streamable_http',
      uri,
      headers,
      enabled: true,
      timeout: 300,
    }),
  },
]

export const knownClients: readonly KnownClient[] = clientFiles.map((file) => {
  const { title, commands } = rosterRow(file.name)
  return { ...file, title, programs: commands }
})
