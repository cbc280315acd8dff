/** An action as calls of verbs, and what the terminal shows then. */

import type { Millis, Offset } from '@agentpty/protocol'
import type { Observation, WaitFor } from '@agentpty/protocol/call'
import {
  type EnvironmentCall,
  observationBytesMax,
  type ParsedAction,
  type TerminusAction,
} from '@agentpty/protocol/gym'
import type { VerbInput } from '@agentpty/protocol/verbs'
import { translateKeystrokes } from './terminus-keystrokes.ts'

export interface ActOn {
  readonly terminalId: string
  /** The end of the output that earlier steps returned. */
  readonly since: Offset
  /** The output since the last action, without the echo of that action. A text that is already in it is not waited for. */
  readonly shown: string
  readonly timeoutMs: Millis
  readonly caller: EnvironmentCall
}

export type Doing = Exclude<ParsedAction, { readonly type: 'finish' }>

/** How long a program gets to start reacting to a new size or a signal. */
const reactionMs = 50

/** Errors: those of the verbs. */
export function act(action: Doing, on: ActOn): Promise<Observation> {
  if (typeof action === 'string') return typed(on, { text: action })
  if ('keystrokes' in action) return terminus(action, on)
  const { terminalId } = on
  switch (action.type) {
    case 'send':
      return typed(on, { text: action.text, newline: action.enter ?? false })
    case 'paste':
      return typed(on, { text: action.text, newline: false })
    case 'keys':
      return pressed(on, action.keys)
    case 'wait': {
      const hasCome = textsOf(action.until).some((text) => on.shown.includes(text))
      return readOn(on, {
        waitFor: hasCome ? 'none' : (action.until ?? 'ready'),
        waitTimeoutMs: Math.min(action.ms ?? on.timeoutMs, on.timeoutMs),
      })
    }
    case 'resize':
      return reaction(on, () => on.caller.call('resize', { terminalId, rows: action.rows, cols: action.cols }))
    case 'signal':
      return reaction(on, () => on.caller.call('signal', { terminalId, signal: action.signal }))
  }
}

const textsOf = (until: WaitFor | undefined): readonly string[] =>
  [until ?? []].flat().flatMap((one) => (typeof one === 'object' && 'text' in one ? [one.text] : []))

const longest = ({ timeoutMs }: ActOn) => ({
  waitMsMax: timeoutMs,
  typingMsMax: timeoutMs,
  outputBytes: observationBytesMax,
})

function typed(on: ActOn, text: Pick<VerbInput<'send'>, 'text' | 'newline'>): Promise<Observation> {
  const { terminalId, timeoutMs, caller } = on
  return caller.call('send', { terminalId, ...text, waitTimeoutMs: timeoutMs }, longest(on))
}

function pressed(on: ActOn, keys: readonly string[]): Promise<Observation> {
  const { terminalId, timeoutMs, caller } = on
  return caller.call('sendKeys', { terminalId, keys: [...keys], waitTimeoutMs: timeoutMs }, longest(on))
}

function readOn(on: ActOn, wait: { readonly waitFor: WaitFor; readonly waitTimeoutMs: Millis }): Promise<Observation> {
  const { terminalId, since, caller } = on
  return caller.call('read', { terminalId, since, ...wait }, longest(on))
}

async function reaction(on: ActOn, cause: () => Promise<unknown>): Promise<Observation> {
  const since = on.caller.endOf(on.terminalId)
  await cause()
  // Quiet time before the action does not count.
  await readOn({ ...on, since }, { waitFor: ['output', 'exit'], waitTimeoutMs: Math.min(on.timeoutMs, reactionMs) })
  await readOn(on, {
    waitFor: [{ quietMs: reactionMs }, 'exit'],
    waitTimeoutMs: Math.min(on.timeoutMs, 20 * reactionMs),
  })
  return readOn(on, { waitFor: 'ready', waitTimeoutMs: on.timeoutMs })
}

/** Output after the duration belongs to the next step. */
async function terminus({ keystrokes, duration, legacySleep }: TerminusAction, on: ActOn): Promise<Observation> {
  const timeoutMs = Math.min(on.timeoutMs, duration * 1_000)
  if (legacySleep !== true) return entered(keystrokes, { ...on, timeoutMs })
  await entered(keystrokes, { ...on, timeoutMs: 0 })
  // The whole time passes, unless the program ends first.
  return readOn(on, { waitFor: 'exit', waitTimeoutMs: timeoutMs })
}

async function entered(keystrokes: string, on: ActOn): Promise<Observation> {
  const parsed = translateKeystrokes(keystrokes)
  if (parsed.kind === 'key') return pressed(on, [parsed.key])
  if (parsed.kind === 'text') {
    const { text } = parsed
    const enter = text.endsWith('\n')
    const line = enter ? text.slice(0, -1) : text
    if (!line.includes('\n')) return typed(on, { text: line, newline: enter })
    // Typed ahead, line by line: a paste would be taken as one.
    const data = Buffer.from(text.replaceAll('\n', '\r')).toString('base64')
    await on.caller.call('write', { terminalId: on.terminalId, data })
  }
  return readOn(on, { waitFor: 'ready', waitTimeoutMs: on.timeoutMs })
}
