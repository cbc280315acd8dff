/** Real agent programs: how each is asked one thing, is given every permission, and is told of a server by its address. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { claude } from '../../bench/agents/clients/claude.ts'
import type { AgentClient, Place } from '../../bench/agents/clients/client.ts'
import { codex } from '../../bench/agents/clients/codex.ts'
import { copilot } from '../../bench/agents/clients/copilot.ts'
import { gemini } from '../../bench/agents/clients/gemini.ts'
import { opencode } from '../../bench/agents/clients/opencode.ts'
import { programOf, versionOf } from '../../bench/agents/lib/install.ts'
import { packages } from './packages.ts'
import { qwen, qwenProgram } from './qwen.ts'

export interface Address {
  readonly url: string
  readonly token: string
}

export type Runnable = Pick<AgentClient, 'name' | 'prepare' | 'started' | 'firstQuestion'>

export interface TestedAgent {
  readonly client: Runnable
  readonly program: string
  version(): string
  /** With these it asks for no permission. */
  readonly permitting: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Arguments that ask one thing, without a screen. */
  ask(prompt: string): readonly string[]
  /** Writes what makes it connect to an address; `agentpty init` does not do that. */
  registerAddress(place: Place, address: Address): void
}

const authorization = ({ token }: Address) => ({ Authorization: `Bearer ${token}` })

/** Adds to a JSON file of the home. */
function addTo(file: string, change: (settings: Record<string, unknown>) => void): void {
  const settings = readJson(file)
  change(settings)
  writeFileSync(file, JSON.stringify(settings))
}

function readJson(file: string): Record<string, unknown> {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    // There is none yet.
    return {}
  }
}

/** In the settings of Gemini CLI, and of what descends from it. */
const inSettings =
  (folder: string): TestedAgent['registerAddress'] =>
  ({ home }, address) =>
    addTo(join(home, folder, 'settings.json'), (settings) => {
      settings['mcpServers'] = { agentpty: { httpUrl: address.url, headers: authorization(address) } }
    })

export const testedAgents: readonly TestedAgent[] = [
  {
    client: claude,
    program: programOf(claude),
    version: () => versionOf(claude),
    permitting: ['--allowedTools', 'mcp__agentpty'],
    env: { IS_SANDBOX: '1' },
    ask: (prompt) => ['-p', prompt],
    registerAddress: ({ home }, address) =>
      addTo(join(home, '.claude.json'), (settings) => {
        settings['mcpServers'] = { agentpty: { type: 'http', url: address.url, headers: authorization(address) } }
      }),
  },
  {
    client: codex,
    program: programOf(codex),
    version: () => versionOf(codex),
    permitting: [
      ...['-c', 'approval_policy="never"', '-c', 'sandbox_mode="danger-full-access"'],
      ...['-c', 'mcp_servers.agentpty.required=true'],
    ],
    ask: (prompt) => ['exec', '--skip-git-repo-check', prompt],
    registerAddress: ({ home }, { url, token }) => {
      const file = join(home, '.codex', 'config.toml')
      const headers = `{ "Authorization" = "Bearer ${token}" }`
      writeFileSync(
        file,
        `${readFileSync(file, 'utf8')}\n[mcp_servers.agentpty]\nurl = "${url}"\nhttp_headers = ${headers}\n`,
      )
    },
  },
  {
    client: gemini,
    program: programOf(gemini),
    version: () => versionOf(gemini),
    permitting: ['--approval-mode', 'yolo'],
    env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    ask: (prompt) => ['-p', prompt],
    registerAddress: inSettings('.gemini'),
  },
  {
    client: opencode,
    program: programOf(opencode),
    version: () => versionOf(opencode),
    permitting: [],
    ask: (prompt) => ['run', prompt],
    registerAddress: ({ home }, address) =>
      addTo(join(home, '.config', 'opencode', 'opencode.json'), (settings) => {
        settings['mcp'] = {
          agentpty: { type: 'remote', url: address.url, headers: authorization(address), enabled: true },
        }
      }),
  },
  {
    client: copilot,
    program: programOf(copilot),
    version: () => versionOf(copilot),
    permitting: ['--allow-all-tools'],
    ask: (prompt) => ['-p', prompt, '--no-color'],
    registerAddress: ({ home }, address) =>
      addTo(join(home, '.copilot', 'mcp-config.json'), (settings) => {
        settings['mcpServers'] = {
          agentpty: { type: 'http', url: address.url, headers: authorization(address), tools: ['*'] },
        }
      }),
  },
  {
    client: qwen,
    program: qwenProgram,
    version: () => packages.versions['@qwen-code/qwen-code'] ?? '',
    permitting: ['--yolo'],
    ask: (prompt) => ['-p', prompt],
    registerAddress: inSettings('.qwen'),
  },
]
