import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { AgentClient } from './client.ts'

export const codex: AgentClient = {
  name: 'codex',
  package: '@openai/codex',
  prepare({ home, cwd, modelUrl, program }) {
    mkdirSync(path.join(home, '.codex'), { recursive: true })
    writeFileSync(path.join(home, '.codex', 'config.toml'), configuration(cwd, modelUrl))
    // Its daemon would outlive the terminal and every test.
    return { command: [program, '--disable', 'daemon_auto_start'], env: { SCRIPTED_KEY: 'x' } }
  },
  // The line below its input box; input typed before it is drawn may stay there.
  started: /· ~\//,
  // It asks only about commands outside of its sandbox.
  askToTouch: (file) => ({
    tool: 'exec_command',
    args: {
      cmd: `touch ${file}`,
      sandbox_permissions: 'require_escalated',
      justification: `May I create ${file}?`,
    },
  }),
  permission: { shows: /Would you like to run the following command\?/, answer: [['y']] },
  interrupt: [['escape']],
  quit: [['ctrl+c'], ['ctrl+c']],
}

const configuration = (cwd: string, modelUrl: string) => `model = "gpt-5.5"
model_provider = "scripted"
approval_policy = "on-request"
sandbox_mode = "workspace-write"
check_for_update_on_startup = false
[model_providers.scripted]
name = "Scripted"
base_url = "${modelUrl}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
[tui]
notifications = true
notification_method = "osc9"
notification_condition = "always"
[analytics]
enabled = false
[feedback]
enabled = false
[projects."${cwd}"]
trust_level = "trusted"
[notice.model_migrations]
"gpt-5.5" = "gpt-6-sol"
`
