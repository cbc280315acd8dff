/** How known programs get their hooks. Each was tried with the real program; see docs/agents.md. */

import type { HookWay } from './hooks.ts'

const entry = '[{"matcher":"*","hooks":[{"type":"command","command":"{{command}}"}]}]'
const output = '{"hookSpecificOutput":{"hookEventName":"{{event}}","additionalContext":"{{context}}"}}'
const json = { entry, output, wrapper: '{"hooks":{{events}}}', replaces: null } as const

export const hookWays: Readonly<Record<'claude' | 'codex' | 'gemini' | 'any', HookWay>> = {
  claude: {
    by: 'flag',
    name: '--settings',
    ...json,
    events: { start: 'SessionStart', check: 'PostToolUse', end: 'Stop' },
    responseField: 'last_assistant_message',
  },
  // It runs them once its user has trusted them, and asks for that itself.
  codex: {
    by: 'flag',
    name: '--config',
    output,
    replaces: null,
    events: { start: 'SessionStart', check: 'PostToolUse', end: 'Stop' },
    entry: '[{matcher="*",hooks=[{type="command",command="{{command}}"}]}]',
    wrapper: 'hooks.{{event}}={{entry}}',
    responseField: 'last_assistant_message',
  },
  // Those of the system come last: settings of its user or a project take precedence.
  gemini: {
    by: 'variable',
    name: 'GEMINI_CLI_SYSTEM_DEFAULTS_PATH',
    ...json,
    replaces: '/etc/gemini-cli/system-defaults.json',
    events: { start: 'SessionStart', check: 'AfterTool', end: 'AfterAgent' },
    responseField: 'prompt_response',
  },
  /** Defaults for programs without an entry of their own. */
  any: {
    by: 'flag',
    name: '--settings',
    ...json,
    events: { start: 'SessionStart', check: 'PostToolUse', end: 'Stop' },
    output: '{{context}}',
    responseField: null,
  },
}
