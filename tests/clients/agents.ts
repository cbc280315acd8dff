/** Real agent programs: how each is given one task, with every permission. */

import { claude } from '../../bench/agents/clients/claude.ts'
import { codex } from '../../bench/agents/clients/codex.ts'
import { copilot } from '../../bench/agents/clients/copilot.ts'
import { gemini } from '../../bench/agents/clients/gemini.ts'
import { opencode } from '../../bench/agents/clients/opencode.ts'
import { programOf, versionOf } from '../../bench/agents/lib/install.ts'
import { packages } from './packages.ts'
import { qwen, qwenProgram } from './qwen.ts'
import type { Runnable } from './runnable.ts'

export interface TestedAgent {
  readonly client: Runnable
  readonly program: string
  version(): string
  /** It names its open folders; terminals of the others open at home over HTTP. */
  readonly namesFolder: boolean
  /** The arguments that disable its permission questions. */
  readonly permitting: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** The arguments for one task, without a screen. */
  ask(prompt: string): readonly string[]
}

export const testedAgents: readonly TestedAgent[] = [
  {
    client: claude,
    namesFolder: true,
    program: programOf(claude),
    version: () => versionOf(claude),
    permitting: ['--allowedTools', 'mcp__agentpty'],
    env: { IS_SANDBOX: '1' },
    ask: (prompt) => ['-p', prompt],
  },
  {
    client: codex,
    namesFolder: false,
    program: programOf(codex),
    version: () => versionOf(codex),
    permitting: [
      '-c',
      'approval_policy="never"',
      '-c',
      'sandbox_mode="danger-full-access"',
      '-c',
      'mcp_servers.agentpty.required=true',
    ],
    ask: (prompt) => ['exec', '--skip-git-repo-check', prompt],
  },
  {
    client: gemini,
    namesFolder: true,
    program: programOf(gemini),
    version: () => versionOf(gemini),
    permitting: ['--approval-mode', 'yolo'],
    env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    ask: (prompt) => ['-p', prompt],
  },
  {
    client: opencode,
    namesFolder: true,
    program: programOf(opencode),
    version: () => versionOf(opencode),
    permitting: [],
    ask: (prompt) => ['run', prompt],
  },
  {
    client: copilot,
    namesFolder: false,
    program: programOf(copilot),
    version: () => versionOf(copilot),
    permitting: ['--allow-all-tools'],
    ask: (prompt) => ['-p', prompt, '--no-color'],
  },
  {
    client: qwen,
    namesFolder: true,
    program: qwenProgram,
    version: () => packages.versions['@qwen-code/qwen-code'] ?? '',
    permitting: ['--yolo'],
    ask: (prompt) => ['-p', prompt],
  },
]
