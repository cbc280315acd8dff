/** Real agent programs without a screen: how each is asked one thing, and told of a server by its address. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { claude } from '../../bench/agents/clients/claude.ts'
import type { AgentClient, Launch, Place } from '../../bench/agents/clients/client.ts'
import { codex } from '../../bench/agents/clients/codex.ts'
import { copilot } from '../../bench/agents/clients/copilot.ts'
import { gemini } from '../../bench/agents/clients/gemini.ts'
import { opencode } from '../../bench/agents/clients/opencode.ts'

export interface Address {
  readonly url: string
  readonly token: string
}

export interface HeadlessClient {
  readonly client: AgentClient
  /** The command that asks one thing, with every permission given. */
  ask(launch: Launch, prompt: string): Launch
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

export const headlessClients: readonly HeadlessClient[] = [
  {
    client: claude,
    ask: ({ command: [program = ''], env }, prompt) => ({
      command: [program, '-p', prompt, '--allowedTools', 'mcp__agentpty'],
      env: { ...env, IS_SANDBOX: '1' },
    }),
    registerAddress: ({ home }, address) =>
      addTo(join(home, '.claude.json'), (settings) => {
        settings['mcpServers'] = { agentpty: { type: 'http', url: address.url, headers: authorization(address) } }
      }),
  },
  {
    client: codex,
    ask: ({ command: [program = ''], env }, prompt) => ({
      command: [
        program,
        ...[
          'exec',
          '--skip-git-repo-check',
          '-c',
          'approval_policy="never"',
          '-c',
          'sandbox_mode="danger-full-access"',
        ],
        ...['-c', 'mcp_servers.agentpty.required=true', prompt],
      ],
      env,
    }),
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
    ask: ({ command: [program = '', ...model], env }, prompt) => ({
      command: [program, ...model, '-p', prompt, '--approval-mode', 'yolo'],
      env: { ...env, GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    }),
    registerAddress: ({ home }, address) =>
      addTo(join(home, '.gemini', 'settings.json'), (settings) => {
        settings['mcpServers'] = { agentpty: { httpUrl: address.url, headers: authorization(address) } }
      }),
  },
  {
    client: opencode,
    ask: ({ command: [program = ''], env }, prompt) => ({ command: [program, 'run', prompt], env }),
    registerAddress: ({ home }, address) =>
      addTo(join(home, '.config', 'opencode', 'opencode.json'), (settings) => {
        settings['mcp'] = {
          agentpty: { type: 'remote', url: address.url, headers: authorization(address), enabled: true },
        }
      }),
  },
  {
    client: copilot,
    ask: ({ command: [program = ''], env }, prompt) => ({
      command: [program, '-p', prompt, '--allow-all-tools', '--no-color'],
      env,
    }),
    registerAddress: ({ home }, address) =>
      addTo(join(home, '.copilot', 'mcp-config.json'), (settings) => {
        settings['mcpServers'] = {
          agentpty: { type: 'http', url: address.url, headers: authorization(address), tools: ['*'] },
        }
      }),
  },
]
