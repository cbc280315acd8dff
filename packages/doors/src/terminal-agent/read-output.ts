/**
 * The tools that read: output since a cursor, after a wait, and the screen.
 *
 * If a call names several conditions, only the first counts, in this order: a text, silence, output. Without any,
 * waitMs simply passes.
 */

import { defined, type Millis, type Offset, outputBytesMax, waitMsDefault, waitMsMax } from '@agentpty/protocol'
import type { WaitFor } from '@agentpty/protocol/call'
import type { VerbOutput } from '@agentpty/protocol/verbs'
import type { JsonObject } from '@agentpty/protocol/wire'
import { withLastBlanks } from '../parts/aside.ts'
import { callVerb, type DoorCall, type Opened } from './call-verbs.ts'
import type { TerminalAgentInput } from './contract.ts'

type Read = TerminalAgentInput<'terminal_read'>

export async function read(input: Read, call: DoorCall): Promise<JsonObject> {
  const { terminalId, since, maxLines } = input
  const waitTimeoutMs = input.waitTimeoutMs ?? (input.waitMs || waitMsDefault)
  const awaited = await waitBefore(input, waitTimeoutMs, call)
  // A text counts from the beginning of the output; output counts only from the cursor on.
  const from = since ?? (awaited?.isText ? 0 : undefined)
  const range = defined({ terminalId, since: from, maxBytes: outputBytesMax })
  const waiting = awaited === null ? {} : { waitFor: awaited.waitFor, waitTimeoutMs }
  const seen = await callVerb(call, 'read', { ...range, ...waiting })
  const printed = await withLastBlanks(call.client, terminalId, { ...seen, since: from ?? 0 })
  const raw = input.raw ? await callVerb(call, 'read', { ...range, raw: true }) : null
  // Output that came between the two reads is returned twice rather than never.
  const end = Math.min(seen.cursor, raw?.cursor ?? seen.cursor)
  const mode = call.opened.get(terminalId)?.mode
  const notice = end < seen.cursor || mode === undefined ? '' : exitNotice(seen, since ?? 0, mode)
  const output = printed + notice
  return defined({
    output: maxLines === undefined ? output : lastLines(output, maxLines).join('\n'),
    cursor: seen.isActive ? end : Math.max(end + notice.length, since ?? 0),
    isActive: seen.isActive,
    isComplete: isComplete(seen),
    exitCode: seen.exitCode,
    rawOutput: raw === null ? undefined : raw.output,
    timedOut: seen.outcome === 'timeout' ? true : undefined,
    missedBytes: seen.missedBytes,
    invalidBytes: seen.invalidBytes,
  })
}

/** In mode pty the notice of the program's end is the last output; its offsets follow those of all real output. */
function exitNotice({ isActive, cursor, exitCode }: VerbOutput<'read'>, since: Offset, mode: Opened['mode']) {
  if (isActive || mode === 'normal' || since > cursor) return ''
  return `\nProcess exited with code ${exitCode ?? null}\n`
}

/** No command is running: the shell is at its prompt, or has ended. */
export function isComplete({ state, kind }: Pick<VerbOutput<'read'>, 'state' | 'kind'>): boolean {
  return state === 'exited' || (state === 'ready' && kind === 'shell')
}

interface Awaited {
  readonly waitFor: WaitFor
  readonly isText: boolean
}

/** Waits for what a read cannot wait for; returns what the read is still to wait for. */
async function waitBefore(input: Read, timeoutMs: Millis, call: DoorCall): Promise<Awaited | null> {
  const { terminalId, waitForString, waitForIdle, waitForOutput, waitMs } = input
  if (waitForString !== undefined)
    return waitForString === '' ? null : { waitFor: { text: waitForString }, isText: true }
  if (waitForIdle !== undefined && waitForIdle > 0) {
    await waitUntilIdle(call, terminalId, { idleMs: waitForIdle, timeoutMs })
    return null
  }
  if (waitForOutput) return { waitFor: 'output', isText: false }
  if (waitMs) await wait(call, terminalId, { waitFor: 'exit', waitTimeoutMs: waitMs })
  return null
}

interface Idle {
  readonly idleMs: Millis
  readonly timeoutMs: Millis
}

/** Silence counts from the call on, however long the terminal was silent before. */
async function waitUntilIdle(call: DoorCall, terminalId: string, { idleMs, timeoutMs }: Idle): Promise<void> {
  const deadline = call.clock.now() + Math.min(timeoutMs, waitMsMax)
  const left = () => Math.max(0, Math.round(deadline - call.clock.now()))
  const first = await wait(call, terminalId, { waitFor: 'output', waitTimeoutMs: Math.min(idleMs, left()) })
  if (first !== 'met' || left() === 0) return
  await wait(call, terminalId, { waitFor: { quietMs: Math.min(idleMs, waitMsMax) }, waitTimeoutMs: left() })
}

async function wait(
  call: DoorCall,
  terminalId: string,
  { waitFor, waitTimeoutMs }: { readonly waitFor: WaitFor; readonly waitTimeoutMs: Millis },
) {
  const { terminals } = await callVerb(call, 'wait', { terminalIds: [terminalId], waitFor, waitTimeoutMs })
  return terminals[0]?.outcome
}

export async function screenshot(
  { terminalId, ...input }: TerminalAgentInput<'terminal_screenshot'>,
  call: DoorCall,
): Promise<JsonObject> {
  const lines = input.lines ?? input.maxLines
  const { screen, rows, cols } = await callVerb(call, 'screenshot', defined({ terminalId, format: 'plain', lines }))
  const shown = lines === undefined ? screen : lastLines(screen, lines).join('\n')
  return { screen: shown, rows: lines ?? rows, cols, content: shown, lineCount: shown.split('\n').length }
}

/** A line feed at the end ends the last line and begins no new one. */
function lastLines(text: string, count: number): readonly string[] {
  const lines = text.split('\n')
  const isEnded = lines.length > 1 && lines.at(-1) === ''
  return lines.slice(-count - (isEnded ? 1 : 0))
}
