/** Anthropic Messages: POST /v1/messages. */

import { at, listAt, piecesOf, shortId, textAt, textOf } from '../json.ts'
import type { Dialect, Entry, ModelRequest, Pace, Reply, StreamEvent } from '../types.ts'

export const anthropic: Dialect = {
  read: (body) => ({
    model: textAt(body, 'model'),
    stream: at(body, 'stream') === true,
    entries: listAt(body, 'messages').flatMap(readMessage),
    tools: listAt(body, 'tools')
      .map((tool) => textAt(tool, 'name'))
      .filter(Boolean)
      .map((name) => ({ name, wire: { name } })),
    schema: at(at(at(body, 'output_config'), 'format'), 'schema') ?? at(at(body, 'output_format'), 'schema'),
  }),

  async *stream(reply, request, pace) {
    const message = { ...envelope(request), content: [], stop_reason: null, usage: usageOf(reply, 1) }
    yield named('message_start', { message })
    let index = 0
    for (const block of blocksOf(reply)) yield* streamBlock(block, index++, pace)
    const delta = { stop_reason: stopReason(reply), stop_sequence: null }
    yield named('message_delta', { delta, usage: usageOf(reply, reply.usage.output) })
    yield named('message_stop', {})
  },

  whole: (reply, request) => ({
    ...envelope(request),
    stop_reason: stopReason(reply),
    content: [
      ...(reply.text === '' ? [] : [{ type: 'text', text: reply.text }]),
      ...reply.calls.map(({ id, wire, args }) => ({ ...toolUse(id, wire.name), input: args })),
    ],
    usage: usageOf(reply, reply.usage.output),
  }),

  error: ({ type, message }) => ({ type: 'error', error: { type: type ?? 'api_error', message } }),
}

function readMessage(message: unknown): readonly Entry[] {
  const content = at(message, 'content')
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : listAt(message, 'content')
  const beside = blocks.some((block) => at(block, 'type') === 'tool_result')
  const role = textAt(message, 'role')
  const kind = role === 'assistant' || role === 'user' ? role : 'system'
  return blocks.flatMap((block): readonly Entry[] => {
    switch (at(block, 'type')) {
      case 'tool_result':
        return [{ kind: 'result', id: textAt(block, 'tool_use_id'), text: textOf(at(block, 'content')) }]
      case 'tool_use':
        return [{ kind: 'call', id: textAt(block, 'id'), text: textAt(block, 'name') }]
      case 'text':
        return [{ kind, text: textAt(block, 'text'), beside }]
      default:
        return []
    }
  })
}

interface Block {
  readonly start: unknown
  readonly deltas: readonly unknown[]
}

function blocksOf({ thinking, text, calls, chunkSize }: Reply): readonly Block[] {
  const thoughts = piecesOf(thinking, chunkSize).map((part) => ({ type: 'thinking_delta', thinking: part }))
  const signature = { type: 'signature_delta', signature: 'ZmFrZQ==' }
  const words = piecesOf(text, chunkSize).map((part) => ({ type: 'text_delta', text: part }))
  return [
    ...(thinking === ''
      ? []
      : [{ start: { type: 'thinking', thinking: '', signature: '' }, deltas: [...thoughts, signature] }]),
    ...(text === '' ? [] : [{ start: { type: 'text', text: '' }, deltas: words }]),
    ...calls.map(({ id, wire, args }) => ({
      start: { ...toolUse(id, wire.name), input: {} },
      deltas: [{ type: 'input_json_delta', partial_json: JSON.stringify(args) }],
    })),
  ]
}

async function* streamBlock({ start, deltas }: Block, index: number, pace: Pace): AsyncGenerator<StreamEvent> {
  yield named('content_block_start', { index, content_block: start })
  for (const delta of deltas) {
    await pace()
    yield named('content_block_delta', { index, delta })
  }
  yield named('content_block_stop', { index })
}

const named = (event: string, data: object): StreamEvent => ({ event, data: { type: event, ...data } })
const toolUse = (id: string, name: string) => ({ type: 'tool_use', id: `toolu_${id}`, name })
const stopReason = ({ calls }: Reply) => (calls.length > 0 ? 'tool_use' : 'end_turn')

const envelope = ({ model }: ModelRequest) => ({
  id: `msg_${shortId()}`,
  type: 'message',
  role: 'assistant',
  model,
  stop_sequence: null,
})

const usageOf = ({ usage }: Reply, output: number) => ({
  input_tokens: usage.input,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: output,
})
