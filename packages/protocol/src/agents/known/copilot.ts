import { addressEntry, escapeKey, type KnownAgent, programEntry, twiceCtrlC } from './known-agent.ts'

export const copilot = {
  name: 'copilot',
  title: 'Copilot CLI',
  commands: ['copilot'],
  mcpName: 'copilot-cli',
  passes: null,
  agent: {
    command: ['copilot'],
    suggestedAs: 5,
    modelFlag: '--model',
    permissions: { ask: [], edits: ['--allow-tool=write'], all: ['--allow-all'] },
    conversations: { begin: ['--session-id={id}'], resume: ['--resume={id}'], fork: null },
    interrupt: escapeKey,
    quit: twiceCtrlC,
    transcripts: {
      kind: 'lines',
      folder: { variable: 'COPILOT_HOME', below: '', otherwise: '.copilot' },
      file: 'session-state/{id}/events.jsonl',
      helpers: null,
      marks: ['assistant.message', 'usage_record'],
      lists: [],
      at: 'timestamp',
      rules: [
        { where: { type: 'assistant.message', 'data.parentToolCallId': null }, text: 'data.content' },
        {
          // Its `cost` is no money.
          where: { type: 'session.usage_record' },
          model: 'data.usage.model',
          used: {
            counts: 'each',
            key: 'id',
            input: ['data.usage.inputTokens'],
            output: ['data.usage.outputTokens'],
            cached: ['data.usage.cacheReadTokens'],
          },
        },
      ],
    },
  },
  registration: {
    folder: 'home',
    file: '.copilot/mcp-config.json',
    format: 'json',
    group: 'mcpServers',
    byCommand: { type: 'local', ...programEntry, tools: ['*'] },
    byAddress: { type: 'http', ...addressEntry, tools: ['*'] },
  },
} as const satisfies KnownAgent
