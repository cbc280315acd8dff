/** Gemini: POST /v1beta/models/MODEL:generateContent and :streamGenerateContent. */

import { at, listAt, piecesOf, shortId, textAt, textOf } from '../json.ts'
import type { Call, Dialect, Entry, ModelRequest, Reply } from '../types.ts'

export const gemini: Dialect = {
  read: (body, { model, stream }) => ({
    model,
    stream,
    entries: listAt(body, 'contents').flatMap(readContent),
    tools: listAt(body, 'tools')
      .flatMap((tool) => listAt(tool, 'functionDeclarations'))
      .map((declaration) => textAt(declaration, 'name'))
      .map((name) => ({ name, wire: { name } })),
    schema:
      at(at(body, 'generationConfig'), 'responseJsonSchema') ?? at(at(body, 'generationConfig'), 'responseSchema'),
  }),

  async *stream(reply, request, pace) {
    const chunk = (parts: readonly object[], finish: object = {}) => ({
      event: null,
      data: { ...body(reply, request, parts, finish), responseId: shortId() },
    })
    for (const text of piecesOf(reply.thinking, reply.chunkSize)) {
      await pace()
      yield chunk([{ text, thought: true }])
    }
    for (const text of piecesOf(reply.text, reply.chunkSize)) {
      await pace()
      yield chunk([{ text }])
    }
    if (reply.calls.length > 0) {
      await pace()
      yield chunk(reply.calls.map(functionCall))
    }
    yield chunk([{ text: '' }], { finishReason: 'STOP' })
  },

  whole: (reply, request) =>
    body(reply, request, [...(reply.text === '' ? [] : [{ text: reply.text }]), ...reply.calls.map(functionCall)], {
      finishReason: 'STOP',
    }),

  error: ({ status, type, message }) => ({
    error: { code: status ?? 500, status: type ?? 'INTERNAL', message },
  }),
}

function readContent(content: unknown): readonly Entry[] {
  const kind = at(content, 'role') === 'model' ? 'assistant' : 'user'
  return listAt(content, 'parts').flatMap((part): readonly Entry[] => {
    const answer = at(part, 'functionResponse')
    const call = at(part, 'functionCall')
    const text = textAt(part, 'text')
    if (answer) return [{ kind: 'result', id: textAt(answer, 'id'), text: textOf(at(answer, 'response')) }]
    if (call) return [{ kind: 'call', id: textAt(call, 'id'), text: textAt(call, 'name') }]
    return text !== '' && !at(part, 'thought') ? [{ kind, text }] : []
  })
}

const functionCall = ({ id, wire, args }: Call) => ({ functionCall: { id, name: wire.name, args } })

const body = ({ usage }: Reply, { model }: ModelRequest, parts: readonly object[], finish: object) => ({
  candidates: [{ index: 0, content: { role: 'model', parts }, ...finish }],
  usageMetadata: {
    promptTokenCount: usage.input,
    candidatesTokenCount: usage.output,
    totalTokenCount: usage.input + usage.output,
  },
  modelVersion: model,
})
