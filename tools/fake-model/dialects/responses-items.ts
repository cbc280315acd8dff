/** The output items of a Responses answer: the form of each when started and when done, and the events between. */

import { at, piecesOf, shortId } from '../json.ts'
import type { Call, Reply, Wire } from '../types.ts'

export interface Item {
  readonly started: object
  readonly parts: readonly Part[]
  readonly done: object
}

interface Part {
  readonly event: string
  readonly data: object
  /** Sent after a pause, when the script streams slowly. */
  readonly paced: boolean
}

export function itemsOf(reply: Reply): readonly Item[] {
  return [
    ...(reply.thinking === '' ? [] : [reasoning(reply.thinking, reply.chunkSize)]),
    ...(reply.text === '' ? [] : [message(reply.text, reply.chunkSize)]),
    ...reply.calls.map(callItem),
  ]
}

function reasoning(text: string, chunkSize: number): Item {
  const started = { id: `rs_${shortId()}`, type: 'reasoning', summary: [], encrypted_content: null }
  const summary_index = 0
  return {
    started,
    parts: [
      now('response.reasoning_summary_part.added', { summary_index, part: { type: 'summary_text', text: '' } }),
      ...piecesOf(text, chunkSize).map((delta) =>
        later('response.reasoning_summary_text.delta', { summary_index, delta }),
      ),
    ],
    done: { ...started, summary: [{ type: 'summary_text', text }] },
  }
}

function message(text: string, chunkSize: number): Item {
  const started = { id: `msg_${shortId()}`, type: 'message', role: 'assistant', status: 'in_progress', content: [] }
  const content_index = 0
  const part = { type: 'output_text', text, annotations: [] }
  return {
    started,
    parts: [
      now('response.content_part.added', { content_index, part: { ...part, text: '' } }),
      ...piecesOf(text, chunkSize).map((delta) => later('response.output_text.delta', { content_index, delta })),
      now('response.output_text.done', { content_index, text }),
      now('response.content_part.done', { content_index, part }),
    ],
    done: { ...started, status: 'completed', content: [part] },
  }
}

function callItem(call: Call): Item {
  if (call.wire.form === 'search') return searchCall(call)
  return call.wire.form === 'custom' ? customCall(call) : functionCall(call)
}

function searchCall({ id, args }: Call): Item {
  const item = { id: `ts_${shortId()}`, type: 'tool_search_call', call_id: `call_${id}`, execution: 'client' }
  const done = { ...item, status: 'completed', arguments: args }
  return { started: done, parts: [], done }
}

function customCall({ id, wire, args }: Call): Item {
  const text = at(args, 'input')
  const input = typeof args === 'string' ? args : typeof text === 'string' ? text : ''
  const item = { id: `ctc_${shortId()}`, type: 'custom_tool_call', status: 'completed', call_id: `call_${id}` }
  const done = { ...item, ...address(wire), input }
  return {
    started: { ...done, input: '' },
    parts: [
      later('response.custom_tool_call_input.delta', { delta: input }),
      now('response.custom_tool_call_input.done', { input }),
    ],
    done,
  }
}

function functionCall({ id, wire, args }: Call): Item {
  const text = JSON.stringify(args)
  const item = { id: `fc_${shortId()}`, type: 'function_call', call_id: `call_${id}`, ...address(wire) }
  return {
    started: { ...item, status: 'in_progress', arguments: '' },
    parts: [
      later('response.function_call_arguments.delta', { delta: text }),
      now('response.function_call_arguments.done', { arguments: text }),
    ],
    done: { ...item, status: 'completed', arguments: text },
  }
}

const address = ({ name, namespace }: Wire) => (namespace === undefined ? { name } : { name, namespace })
const now = (event: string, data: object): Part => ({ event, data, paced: false })
const later = (event: string, data: object): Part => ({ event, data, paced: true })
