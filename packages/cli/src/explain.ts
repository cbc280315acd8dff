/** `agentpty explain`: whose turn it is in a terminal, and why we think so. */

import type { Client } from '@agentpty/protocol'
import {
  type DropKind,
  type Dropped,
  dropKinds,
  noneDropped,
  probabilities,
  type SessionEvent,
} from '@agentpty/protocol/session'

export interface ExplainOptions {
  readonly terminalId: string
  /** Go on printing each change until the program ends. */
  readonly follow: boolean
  readonly json: boolean
  readonly print: (text: string) => void
}

type TurnEvent = Extract<SessionEvent, { type: 'turn' }>

/** A first verdict takes a few samples: what is printed is what they show by then. */
const firstVerdictMs = 400

/** Errors: `session_not_found`. */
export async function explain(client: Client, options: ExplainOptions): Promise<void> {
  const { terminalId, follow, print } = options
  const showEvent = async (event: TurnEvent) => {
    const drops = (await client.control.status()).dropped.find(
      (one) => one.terminalId === terminalId || one.name === terminalId,
    )
    const dropped = drops?.dropped ?? noneDropped()
    print(options.json ? toJson(terminalId, event, dropped) : formatTurn(terminalId, event) + formatDropped(dropped))
  }
  const bound = follow ? {} : { signal: AbortSignal.timeout(firstVerdictMs) }
  let last: TurnEvent | null = null
  for await (const event of client.follow(terminalId, { turn: true, ...bound })) {
    if (event.type !== 'turn') continue
    last = event
    if (follow) await showEvent(event)
    else if (event.verdict.state !== 'busy') break
  }
  if (!follow && last !== null) await showEvent(await withReasons(client, last, terminalId))
}

/** The first event says that a program is busy before any sample shows what with. */
async function withReasons(client: Client, event: TurnEvent, terminalId: string): Promise<TurnEvent> {
  if (event.verdict.state !== 'busy') return event
  const { terminals } = await client.call('list', {})
  const { evidence } = terminals.find((one) => one.terminalId === terminalId || one.name === terminalId) ?? {}
  return evidence === undefined ? event : { ...event, verdict: { ...event.verdict, evidence } }
}

function toJson(terminalId: string, { verdict, heldMs }: TurnEvent, dropped: Readonly<Dropped>): string {
  const { since: _, ...rest } = verdict
  const probability = probabilities[verdict.confidence]
  return `${JSON.stringify({ terminalId, ...rest, probability, heldMs: Math.round(heldMs), dropped })}\n`
}

/** For example: `term-3  ready, shell, certain (99.95 %), for 3 ms`, and below it the reasons. */
export function formatTurn(terminalId: string, { verdict, heldMs }: TurnEvent): string {
  const { state, kind, confidence, question, evidence } = verdict
  const sure = `${confidence} (${(probabilities[confidence] * 100).toFixed(2).replace(/0+$/, '').replace(/\.$/, '')} %)`
  // How long it waited before the first sample is not known.
  const held = heldMs < 1 ? [] : [`for ${duration(heldMs)}`]
  const parts = state === 'ready' ? [state, kind ?? 'other', sure, ...held] : [state]
  const asks = question === null ? [] : [`asks: ${question}`]
  return `${terminalId}  ${parts.join(', ')}\n${[...asks, ...evidence].map((line) => `  ${line}\n`).join('')}`
}

/** Nothing when nothing was. For example: `  left out, beyond a bound: 12 links`. */
function formatDropped(dropped: Readonly<Dropped>): string {
  const parts = Object.entries(dropKinds)
    .map(([kind, what]) => [dropped[kind as DropKind], what] as const)
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count} ${what}`)
  return parts.length === 0 ? '' : `  left out, beyond a bound: ${parts.join(', ')}\n`
}

function duration(ms: number): string {
  return ms < 1_000 ? `${Math.max(0, Math.round(ms))} ms` : `${(ms / 1_000).toFixed(1)} s`
}
