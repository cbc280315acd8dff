import { jsonHooks } from '../hooks.ts'
import { escapeKey, type KnownAgent, programEntry, twiceCtrlC } from './known-agent.ts'

export const gemini = {
  name: 'gemini',
  title: 'Gemini CLI',
  commands: ['gemini'],
  mcpName: 'gemini-cli-mcp-client',
  passes: null,
  agent: {
    command: ['gemini'],
    suggestedAs: 3,
    modelFlag: '--model',
    permissions: {
      ask: ['--approval-mode', 'default'],
      edits: ['--approval-mode', 'auto_edit'],
      all: ['--approval-mode', 'yolo'],
    },
    conversations: { begin: ['--session-id', '{id}'], resume: ['--resume', '{id}'], fork: null, shows: '✦' },
    interrupt: escapeKey,
    quit: twiceCtrlC,
    // Those of the system come last: settings of its user or a project take precedence.
    hookWay: {
      by: 'variable',
      name: 'GEMINI_CLI_SYSTEM_DEFAULTS_PATH',
      ...jsonHooks,
      replaces: '/etc/gemini-cli/system-defaults.json',
      events: { start: 'SessionStart', check: 'AfterTool', end: 'AfterAgent' },
      responseField: 'prompt_response',
    },
    transcripts: {
      kind: 'lines',
      folder: { variable: 'GEMINI_CLI_HOME', below: '.gemini', otherwise: '.gemini' },
      file: 'tmp/*/chats/session-*-{short}.jsonl',
      helpers: null,
      marks: ['gemini'],
      // It writes all messages again when it has changed one.
      lists: ['$set.messages'],
      at: 'timestamp',
      rules: [
        {
          where: { type: 'gemini' },
          text: 'content',
          model: 'model',
          used: {
            counts: 'each',
            key: 'id',
            input: ['tokens.input', 'tokens.tool'],
            output: ['tokens.output', 'tokens.thoughts'],
            cached: ['tokens.cached'],
          },
        },
      ],
    },
  },
  registration: {
    folder: 'home',
    file: '.gemini/settings.json',
    format: 'json',
    group: 'mcpServers',
    byCommand: programEntry,
    byAddress: { httpUrl: '{url}', headers: '{headers}' },
  },
} as const satisfies KnownAgent
