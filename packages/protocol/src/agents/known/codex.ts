import { jsonHooks } from '../hooks.ts'
import { escapeKey, type KnownAgent, programEntry, twiceCtrlC } from './known-agent.ts'

/** DEFAULT_ENV_VARS in codex-rs/rmcp-client/src/utils.rs; tests/clients compares it with the real program. */
const codexPasses = 'HOME LOGNAME PATH SHELL USER __CF_USER_TEXT_ENCODING LANG LC_ALL TERM TMPDIR TZ'.split(' ')

export const codex = {
  name: 'codex',
  title: 'Codex',
  commands: ['codex'],
  mcpName: 'codex-mcp-client',
  passes: codexPasses,
  agent: {
    // In its background server turns would outlive the terminal; one that runs already is not used either.
    command: ['codex', '--no-daemon'],
    suggestedAs: 2,
    modelFlag: '--model',
    permissions: {
      // Settings, because they follow flags: it refuses a flag that is given twice, and its user may give one of them.
      ask: ['--config', 'approval_policy="on-request"', '--config', 'sandbox_mode="workspace-write"'],
      edits: null,
      all: ['--dangerously-bypass-approvals-and-sandbox'],
    },
    // With a folder given, it does not ask whether the folder of the other conversation is meant.
    conversations: { begin: null, resume: ['resume', '{id}'], fork: ['fork', '--cd', '{cwd}', '{id}'] },
    interrupt: escapeKey,
    quit: twiceCtrlC,
    // It runs them once its user has trusted them, and asks for that itself.
    hookWay: {
      by: 'flag',
      name: '--config',
      output: jsonHooks.output,
      replaces: null,
      events: { start: 'SessionStart', check: 'PostToolUse', end: 'Stop' },
      entry: '[{matcher="*",hooks=[{type="command",command="{{command}}"}]}]',
      wrapper: 'hooks.{{event}}={{entry}}',
      responseField: 'last_assistant_message',
    },
    transcripts: {
      kind: 'lines',
      folder: { variable: 'CODEX_HOME', below: '', otherwise: '.codex' },
      file: 'sessions/**/rollout-*{id}.jsonl',
      helpers: null,
      marks: ['token_count', 'output_text', 'turn_context'],
      lists: [],
      at: 'timestamp',
      rules: [
        {
          where: { type: 'response_item', 'payload.type': 'message', 'payload.role': 'assistant' },
          text: 'payload.content',
        },
        { where: { type: 'turn_context' }, model: 'payload.model' },
        {
          where: { type: 'event_msg', 'payload.type': 'token_count' },
          used: {
            counts: 'total',
            input: ['payload.info.total_token_usage.input_tokens'],
            output: ['payload.info.total_token_usage.output_tokens'],
            cached: ['payload.info.total_token_usage.cached_input_tokens'],
            newest: {
              input: ['payload.info.last_token_usage.input_tokens'],
              output: ['payload.info.last_token_usage.output_tokens'],
              cached: ['payload.info.last_token_usage.cached_input_tokens'],
            },
          },
        },
      ],
    },
  },
  registration: {
    folder: 'home',
    file: '.codex/config.toml',
    format: 'toml',
    group: 'mcp_servers',
    byCommand: programEntry,
    byAddress: { url: '{url}', http_headers: '{headers}' },
  },
} as const satisfies KnownAgent
