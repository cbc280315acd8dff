/** OpenAI Responses: POST /v1/responses, with what Codex adds: tool namespaces, tool search and code mode. */

import { at, listAt, shortId, textAt } from '../json.ts'
import type { Dialect, ModelRequest, Reply, StreamEvent } from '../types.ts'
import { readInput, readTools } from './responses-input.ts'
import { type Item, itemsOf } from './responses-items.ts'

export const responses: Dialect = {
  read: (body) => ({
    model: textAt(body, 'model'),
    stream: at(body, 'stream') === true,
    entries: inputOf(body).flatMap(readInput),
    tools: readTools(listAt(body, 'tools'), inputOf(body)),
    schema: at(at(at(body, 'text'), 'format'), 'schema'),
  }),

  async *stream(reply, request, pace) {
    const response = envelope(request)
    const count = counter()
    yield count('response.created', { response })
    yield count('response.in_progress', { response })
    const items = itemsOf(reply)
    for (const [index, item] of items.entries()) {
      yield count('response.output_item.added', { output_index: index, item: item.started })
      for (const { event, data, paced } of item.parts) {
        if (paced) await pace()
        yield count(event, { item_id: at(item.done, 'id'), output_index: index, ...data })
      }
      yield count('response.output_item.done', { output_index: index, item: item.done })
    }
    yield count('response.completed', { response: completed(response, items, reply) })
  },

  whole: (reply, request) => completed(envelope(request), itemsOf(reply), reply),

  error: ({ type, code, message }) => ({ error: { type: type ?? 'server_error', code: code ?? null, message } }),
}

function inputOf(body: unknown): readonly unknown[] {
  const input = at(body, 'input')
  return typeof input === 'string' ? [{ role: 'user', content: input }] : listAt(body, 'input')
}

/** Every event contains its position in the stream. */
function counter(): (event: string, data: object) => StreamEvent {
  let next = 0
  return (event, data) => ({ event, data: { type: event, sequence_number: next++, ...data } })
}

const envelope = ({ model }: ModelRequest) => ({
  id: `resp_${shortId()}`,
  object: 'response',
  created_at: Math.floor(Date.now() / 1000),
  model,
  status: 'in_progress',
  output: [],
  error: null,
  usage: null,
})

const completed = (response: object, items: readonly Item[], { usage }: Reply) => ({
  ...response,
  status: 'completed',
  output: items.map(({ done }) => done),
  usage: {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: usage.input + usage.output,
  },
})
