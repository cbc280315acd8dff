/** The transcripts of known agents, as their programs wrote them when `tests/clients/transcripts.test.ts` was run last. */

import type { TranscriptShape } from './adapter.ts'
import type { AgentName } from './roster.ts'

export const transcriptShapes: Readonly<Partial<Record<AgentName, TranscriptShape>>> = {
  claude: {
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
      { where: { type: 'cost-state', hasUnknownModelCost: false }, used: { counts: 'total', cost: ['totalCostUSD'] } },
    ],
  },
  codex: {
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
  gemini: {
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
  copilot: {
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
  opencode: {
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
}
