/** Real agent programs without a screen: how each is asked one thing. */

import { claude } from '../../bench/agents/clients/claude.ts'
import type { AgentClient, Launch } from '../../bench/agents/clients/client.ts'
import { codex } from '../../bench/agents/clients/codex.ts'
import { copilot } from '../../bench/agents/clients/copilot.ts'
import { gemini } from '../../bench/agents/clients/gemini.ts'
import { opencode } from '../../bench/agents/clients/opencode.ts'

export interface HeadlessClient {
  readonly client: AgentClient
  /** The command that asks one thing, with every permission given. */
  ask(launch: Launch, prompt: string): Launch
}

export const headlessClients: readonly HeadlessClient[] = [
  {
    client: claude,
    ask: ({ command: [program = ''], env }, prompt) => ({
      command: [program, '-p', prompt, '--allowedTools', 'mcp__agentpty'],
      env: { ...env, IS_SANDBOX: '1' },
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
  },
  {
    client: gemini,
    ask: ({ command: [program = '', ...model], env }, prompt) => ({
      command: [program, ...model, '-p', prompt, '--approval-mode', 'yolo'],
      env: { ...env, GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    }),
  },
  {
    client: opencode,
    ask: ({ command: [program = ''], env }, prompt) => ({ command: [program, 'run', prompt], env }),
  },
  {
    client: copilot,
    ask: ({ command: [program = ''], env }, prompt) => ({
      command: [program, '-p', prompt, '--allow-all-tools', '--no-color'],
      env,
    }),
  },
]
