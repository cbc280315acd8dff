/** OpenAI Chat Completions: POST /v1/chat/completions. */

import { at, listAt, piecesOf, shortId, textAt, textOf } from '../json.ts'
import type { Call, Dialect, Entry, ModelRequest, Reply, StreamEvent } from '../types.ts'

export const chat: Dialect = {
  read: (body) => ({
    model: textAt(body, 'model'),
    stream: at(body, 'stream') === true,
    entries: listAt(body, 'messages').flatMap(readMessage),
    tools: listAt(body, 'tools')
      .map((tool) => textAt(at(tool, 'function'), 'name') || textAt(tool, 'name'))
      .filter(Boolean)
      .map((name) => ({ name, wire: { name } })),
    schema: at(at(at(body, 'response_format'), 'json_schema'), 'schema'),
  }),

  async *stream(reply, request, pace) {
    const base = envelope(request, 'chat.completion.chunk')
    yield chunk(base, { role: 'assistant', content: '' })
    for (const part of piecesOf(reply.thinking, reply.chunkSize)) {
      await pace()
      yield chunk(base, { reasoning_content: part })
    }
    for (const part of piecesOf(reply.text, reply.chunkSize)) {
      await pace()
      yield chunk(base, { content: part })
    }
    for (const [index, call] of reply.calls.entries()) {
      await pace()
      yield chunk(base, { tool_calls: [{ index, ...toolCall(call) }] })
    }
    yield chunk(base, {}, finishReason(reply))
    yield { event: null, data: { ...base, choices: [], usage: usageOf(reply) } }
    yield { event: null, data: '[DONE]' }
  },

  whole: (reply, request) => ({
    ...envelope(request, 'chat.completion'),
    choices: [{ index: 0, finish_reason: finishReason(reply), message: messageOf(reply) }],
    usage: usageOf(reply),
  }),

  error: ({ type, code, message }) => ({ error: { type: type ?? 'server_error', code: code ?? null, message } }),
}

function readMessage(message: unknown): readonly Entry[] {
  const content = at(message, 'content')
  switch (at(message, 'role')) {
    case 'tool':
      return [{ kind: 'result', id: textAt(message, 'tool_call_id'), text: textOf(content) }]
    case 'user':
      return [content].flat().map((part) => ({ kind: 'user', text: textOf(part) }))
    case 'assistant':
      return [
        ...(content ? [{ kind: 'assistant', text: textOf(content) } as const] : []),
        ...listAt(message, 'tool_calls').map(
          (call): Entry => ({ kind: 'call', id: textAt(call, 'id'), text: textAt(at(call, 'function'), 'name') }),
        ),
      ]
    default:
      return []
  }
}

const chunk = (base: object, delta: object, finish: string | null = null): StreamEvent => ({
  event: null,
  data: { ...base, choices: [{ index: 0, delta, finish_reason: finish }] },
})

const messageOf = ({ text, calls }: Reply) => ({
  role: 'assistant',
  content: text || null,
  ...(calls.length > 0 ? { tool_calls: calls.map(toolCall) } : {}),
})

const toolCall = ({ id, wire, args }: Call) => ({
  id: `call_${id}`,
  type: 'function',
  function: { name: wire.name, arguments: JSON.stringify(args) },
})

const finishReason = ({ calls }: Reply) => (calls.length > 0 ? 'tool_calls' : 'stop')

const envelope = ({ model }: ModelRequest, object: string) => ({
  id: `chatcmpl-${shortId()}`,
  object,
  created: Math.floor(Date.now() / 1000),
  model,
})

const usageOf = ({ usage }: Reply) => ({
  prompt_tokens: usage.input,
  completion_tokens: usage.output,
  total_tokens: usage.input + usage.output,
})
