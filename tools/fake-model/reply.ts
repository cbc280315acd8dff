/** From a request to what the model says: which step is due, and its words and calls for this client. */

import { discoveryStep } from './discovery.ts'
import { shortId } from './json.ts'
import { locate, type Place } from './place.ts'
import { fill, fillText } from './placeholders.ts'
import { sample } from './sample.ts'
import { type Script, type Step, toolsOf } from './script.ts'
import { addressCall } from './tools.ts'
import type { ModelRequest, Reply } from './types.ts'

/** `place` is null for housekeeping: titles, summaries, whatever is not the conversation. */
export interface Due {
  readonly place: Place | null
  readonly step: Step
}

export function dueFor(script: Script, request: ModelRequest): Due {
  if (isHousekeeping(script, request)) return { place: null, step: { text: script.side } }
  const place = locate(script, request)
  const step = discoveryStep(place, request) ?? place.step
  return { place, step: { ...script.defaults, ...step } }
}

/** A request that offers no tools is the client's own. */
function isHousekeeping({ sideMatch }: Script, { tools, entries }: ModelRequest): boolean {
  return tools.length === 0 || entries.some(({ kind, text }) => kind === 'user' && sideMatch.test(text))
}

const nowhere: Place = { turn: '', index: 0, step: {}, results: [], prompt: '' }
const charactersWhenSlow = 8

export function replyTo(request: ModelRequest, { place, step }: Due): Reply {
  const at = place ?? nowhere
  const isJson = place === null && request.schema !== undefined
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
