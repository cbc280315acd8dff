/** Turns a request into the model's reply: the step that is due, with its text and calls in this client's form. */

import { discoveryStep } from './discovery.ts'
import { shortId } from './json.ts'
import { fill, fillText } from './placeholders.ts'
import { locate, type Position } from './position.ts'
import { sample } from './sample.ts'
import { type Script, type Step, toolsOf } from './script.ts'
import { addressCall } from './tools.ts'
import type { ModelRequest, Reply } from './types.ts'

/** `position` is null for housekeeping, such as titles and summaries, which is not part of the conversation. */
export interface Due {
  readonly position: Position | null
  readonly step: Step
}

export function dueFor(script: Script, request: ModelRequest): Due {
  if (isHousekeeping(script, request)) return { position: null, step: { text: script.side } }
  const position = locate(script, request)
  const step = discoveryStep(position, request) ?? position.step
  return { position, step: { ...script.defaults, ...step } }
}

/** A request that offers no tools is the client's own. */
function isHousekeeping({ sideMatch }: Script, { tools, entries }: ModelRequest): boolean {
  return tools.length === 0 || entries.some(({ kind, text }) => kind === 'user' && sideMatch.test(text))
}

const nowhere: Position = { turn: '', index: 0, step: {}, results: [], prompt: '' }
const charactersWhenSlow = 8

export function replyTo(request: ModelRequest, { position, step }: Due): Reply {
  const at = position ?? nowhere
  const isJson = position === null && request.schema !== undefined
  return {
    thinking: step.thinking ?? '',
    text: isJson ? JSON.stringify(sample(request.schema, step.text ?? '')) : fillText(step.text ?? '', at),
    calls: toolsOf(step).map(({ tool, args }) => ({
      id: shortId(),
      ...addressCall(tool, fill(args ?? {}, at), request),
    })),
    chunkSize: step.chunkSize ?? (step.chunkDelayMs ? charactersWhenSlow : 0),
    usage: { input: 100, output: 20, ...step.usage },
  }
}
