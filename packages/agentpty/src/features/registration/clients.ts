/** The clients that agentpty can register with: where each keeps its servers, and how it writes one. */

import { join } from 'node:path'
import type { RegistrableClient } from '../../contracts/registration.ts'
import { readJson, removeJson, setJson } from './edit-json.ts'
import { readToml, removeToml, setToml } from './edit-toml.ts'
import { readYaml, removeYaml, setYaml } from './edit-yaml.ts'

/** Where a user keeps things. */
export interface UserPlaces {
  readonly home: string
  /** XDG_CONFIG_HOME, or what stands for it. */
  readonly config: string
  readonly isMac: boolean
}

export interface KnownClient {
  readonly name: RegistrableClient
  readonly title: string
  /** Programs whose presence says that it is installed. */
  readonly programs: readonly string[]
  readonly file: (places: UserPlaces) => string
  /** What is written for our server. */
  readonly entry: (command: readonly string[]) => Readonly<Record<string, unknown>>
  readonly read: (text: string) => unknown
  readonly set: (text: string, entry: Readonly<Record<string, unknown>>) => string
  readonly remove: (text: string) => string
}

const serverName = 'agentpty'

const split = ([command = '', ...args]: readonly string[]) => ({ command, args })

function inJson(group: string) {
  const path = [group, serverName]
  return {
    read: (text: string) => readJson(text, path),
    set: (text: string, entry: object) => setJson(text, path, entry),
    remove: (text: string) => removeJson(text, path),
  }
}

/** Where programs of the desktop keep their files. */
const desktop = ({ home, config, isMac }: UserPlaces) => (isMac ? join(home, 'Library/Application Support') : config)

export const knownClients: readonly KnownClient[] = [
  {
    ...{ name: 'claude', title: 'Claude Code', programs: ['claude'] },
    file: ({ home }) => join(home, '.claude.json'),
    entry: (command) => ({ type: 'stdio', ...split(command) }),
    ...inJson('mcpServers'),
  },
  {
    ...{ name: 'codex', title: 'Codex', programs: ['codex'] },
    file: ({ home }) => join(home, '.codex/config.toml'),
    entry: split,
    read: (text) => readToml(text, ['mcp_servers', serverName]),
    set: (text, entry) => setToml(text, ['mcp_servers', serverName], entry),
    remove: (text) => removeToml(text, ['mcp_servers', serverName]),
  },
  {
    ...{ name: 'gemini', title: 'Gemini CLI', programs: ['gemini'] },
    file: ({ home }) => join(home, '.gemini/settings.json'),
    entry: split,
    ...inJson('mcpServers'),
  },
  {
    ...{ name: 'copilot', title: 'Copilot CLI', programs: ['copilot'] },
    file: ({ home }) => join(home, '.copilot/mcp-config.json'),
    entry: (command) => ({ type: 'local', ...split(command), tools: ['*'] }),
    ...inJson('mcpServers'),
  },
  {
    ...{ name: 'opencode', title: 'opencode', programs: ['opencode'] },
    file: ({ config }) => join(config, 'opencode/opencode.json'),
    entry: (command) => ({ type: 'local', command: [...command], enabled: true }),
    ...inJson('mcp'),
  },
  {
    ...{ name: 'qwen', title: 'Qwen Code', programs: ['qwen'] },
    file: ({ home }) => join(home, '.qwen/settings.json'),
    entry: split,
    ...inJson('mcpServers'),
  },
  {
    ...{ name: 'cursor', title: 'Cursor', programs: ['cursor', 'cursor-agent'] },
    file: ({ home }) => join(home, '.cursor/mcp.json'),
    entry: split,
    ...inJson('mcpServers'),
  },
  {
    ...{ name: 'windsurf', title: 'Windsurf', programs: ['windsurf'] },
    file: ({ home }) => join(home, '.codeium/windsurf/mcp_config.json'),
    entry: split,
    ...inJson('mcpServers'),
  },
  {
    ...{ name: 'vscode', title: 'VS Code', programs: ['code'] },
    file: (places) => join(desktop(places), 'Code/User/mcp.json'),
    entry: (command) => ({ type: 'stdio', ...split(command) }),
    ...inJson('servers'),
  },
  {
    ...{ name: 'claude-desktop', title: 'Claude Desktop', programs: [] },
    file: (places) => join(desktop(places), 'Claude/claude_desktop_config.json'),
    entry: split,
    ...inJson('mcpServers'),
  },
  {
    ...{ name: 'zed', title: 'Zed', programs: ['zed'] },
    file: ({ config }) => join(config, 'zed/settings.json'),
    entry: (command) => ({ source: 'custom', ...split(command) }),
    ...inJson('context_servers'),
  },
  {
    ...{ name: 'goose', title: 'Goose', programs: ['goose'] },
    file: ({ config }) => join(config, 'goose/config.yaml'),
    entry: ([cmd = '', ...args]) => ({ name: serverName, type: 'stdio', cmd, args, enabled: true, timeout: 300 }),
    read: (text) => readYaml(text, ['extensions', serverName]),
    set: (text, entry) => setYaml(text, ['extensions', serverName], entry),
    remove: (text) => removeYaml(text, ['extensions', serverName]),
  },
]
