import { addressEntry, type KnownAgent, twiceCtrlC } from './known-agent.ts'

export const opencode = {
  name: 'opencode',
  title: 'opencode',
  commands: ['opencode'],
  mcpName: 'opencode',
  passes: null,
  agent: {
    command: ['opencode'],
    suggestedAs: 4,
    modelFlag: '--model',
    permissions: { ask: [], edits: null, all: ['--auto'] },
    conversations: { begin: null, resume: ['--session', '{id}'], fork: ['--session', '{id}', '--fork'] },
    interrupt: ['escape', 'escape'],
    quit: twiceCtrlC,
    transcripts: {
      kind: 'database',
      folder: { variable: 'XDG_DATA_HOME', below: 'opencode', otherwise: '.local/share/opencode' },
      file: 'opencode.db',
      conversations: { table: 'session', id: 'id', cwd: 'directory', begunAt: 'time_created', parent: 'parent_id' },
      messages: { table: 'message', index: 'message_session_time_created_id_idx', id: 'id', data: 'data' },
      parts: { table: 'part', index: 'part_message_id_id_idx', data: 'data' },
      at: 'time.created',
      rules: [
        {
          where: { role: 'assistant' },
          text: 'parts',
          model: 'modelID',
          used: {
            counts: 'each',
            key: 'id',
            input: ['tokens.input', 'tokens.cache.read', 'tokens.cache.write'],
            output: ['tokens.output', 'tokens.reasoning'],
            cached: ['tokens.cache.read'],
            cost: ['cost'],
            zeroCostIsNone: true,
          },
        },
      ],
    },
  },
  registration: {
    folder: 'config',
    // It reads all of them; a setting that is in several is taken from the first.
    file: ['opencode/opencode.jsonc', 'opencode/opencode.json', 'opencode/config.json'],
    newFile: 'opencode/opencode.json',
    format: 'json',
    group: 'mcp',
    byCommand: { type: 'local', command: '{words}', enabled: true, environment: '{env}' },
    byAddress: { type: 'remote', ...addressEntry, enabled: true },
  },
} as const satisfies KnownAgent
