import { jsonHooks } from '../hooks.ts'
import { addressEntry, escapeKey, type KnownAgent, programEntry, twiceCtrlC } from './known-agent.ts'

export const claude = {
  name: 'claude',
  title: 'Claude Code',
  commands: ['claude'],
  mcpName: 'claude-code',
  passes: null,
  agent: {
    command: ['claude'],
    suggestedAs: 1,
    modelFlag: '--model',
    permissions: {
      // Newer ones call it manual in their help; all take this name.
      ask: ['--permission-mode', 'default'],
      edits: ['--permission-mode', 'acceptEdits'],
      all: ['--permission-mode', 'bypassPermissions'],
    },
    conversations: {
      begin: ['--session-id', '{id}'],
      resume: ['--resume', '{id}'],
      fork: ['--resume', '{id}', '--fork-session'],
    },
    interrupt: escapeKey,
    quit: twiceCtrlC,
    hookWay: {
      by: 'flag',
      name: '--settings',
      ...jsonHooks,
      events: { start: 'SessionStart', check: 'PostToolUse', end: 'Stop' },
      responseField: 'last_assistant_message',
    },
    transcripts: {
      kind: 'lines',
      folder: { variable: 'CLAUDE_CONFIG_DIR', below: '', otherwise: '.claude' },
      file: 'projects/*/{id}.jsonl',
      helpers: '{id}/subagents/**/agent-*.jsonl',
      marks: ['assistant', 'cost-state'],
      lists: [],
      at: 'timestamp',
      rules: [
        { where: { type: 'assistant', isSidechain: false }, text: 'message.content', model: 'message.model' },
        {
          // A line for each block of an answer has the numbers of the whole.
          where: { type: 'assistant' },
          used: {
            counts: 'each',
            key: 'message.id',
            input: [
              'message.usage.input_tokens',
              'message.usage.cache_creation_input_tokens',
              'message.usage.cache_read_input_tokens',
            ],
            output: ['message.usage.output_tokens'],
            cached: ['message.usage.cache_read_input_tokens'],
          },
        },
        // When it ends.
        {
          where: { type: 'cost-state', hasUnknownModelCost: false },
          used: { counts: 'total', cost: ['totalCostUSD'] },
        },
      ],
    },
  },
  registration: {
    folder: 'home',
    file: '.claude.json',
    format: 'json',
    group: 'mcpServers',
    folderGroup: ['projects', '{cwd}', 'mcpServers'],
    byCommand: { type: 'stdio', ...programEntry },
    byAddress: { type: 'http', ...addressEntry },
  },
} as const satisfies KnownAgent
