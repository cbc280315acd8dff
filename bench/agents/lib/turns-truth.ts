/**
 * The outcome of many turns, by the model's log. Pure.
 *
 * Truth: each prompt reaches the model exactly once. A dialog is open from the call of its tool until the driver
 * answers it, or until the tool's result arrives.
 */

import type { LogEvent } from '../../../tools/fake-model/event-log.ts'

/** An instruction, and the time at which it had been typed. */
export interface Typed {
  readonly prompt: string
  readonly t: number
}

/** The driver has started to answer a dialog. */
export interface Answered {
  readonly t: number
}

export interface TurnsTruth {
  readonly turns: number
  readonly dialogs: number
  /** Instructions typed while a dialog was open. */
  readonly intoDialog: number
  /** Dialogs that ended without the driver's answer: other input has answered them. */
  readonly answeredByOthers: number
  /** Prompts that the model never saw unchanged, and prompts that it saw more than once. */
  readonly lost: number
  readonly doubled: number
}

export interface TurnsResult extends TurnsTruth {
  readonly client: string
  /** Refusals with `needs_answer`, and those of them without a dialog in truth. */
  readonly refused: number
  readonly refusedWrongly: number
  readonly faults: readonly string[]
}

export interface TurnsRecord {
  readonly log: readonly LogEvent[]
  readonly typed: readonly Typed[]
  readonly answered: readonly Answered[]
}

interface Dialog {
  readonly from: number
  readonly to: number
  readonly byDriver: boolean
}

export function countTurns({ log, typed, answered }: TurnsRecord): TurnsTruth {
  const dialogs = dialogsOf(log, answered)
  const seen = typed.map(({ prompt }) => timesAsked(log, prompt))
  return {
    turns: typed.length,
    dialogs: dialogs.length,
    intoDialog: typed.filter(({ t }) => dialogs.some(({ from, to }) => t > from && t < to)).length,
    answeredByOthers: dialogs.filter(({ byDriver, to }) => !byDriver && to !== Number.POSITIVE_INFINITY).length,
    lost: seen.filter((count) => count === 0).length,
    doubled: seen.filter((count) => count > 1).length,
  }
}

function dialogsOf(log: readonly LogEvent[], answered: readonly Answered[]): readonly Dialog[] {
  const calls = log.filter(({ ev, what }) => ev === 'respond' && what === 'tool')
  return calls.map(({ t: from, id }) => {
    const over = Math.min(resultTime(log, turnOf(log, id), from), nextPromptTime(log, from))
    const answer = answered.find(({ t }) => t > from && t < over)
    return { from, to: answer?.t ?? over, byDriver: answer !== undefined }
  })
}

function resultTime(log: readonly LogEvent[], turn: string, after: number): number {
  const result = log.find((event) => event.t > after && isRequest(event) && isOf(event, turn) && event['results'] !== 0)
  return result?.t ?? Number.POSITIVE_INFINITY
}

/** A new prompt ends a dialog too: it was refused or cancelled. */
function nextPromptTime(log: readonly LogEvent[], after: number): number {
  const next = log.find((event) => event.t > after && isRequest(event) && event['results'] === 0)
  return next?.t ?? Number.POSITIVE_INFINITY
}

/** Some clients put the prompt in quotes. */
const timesAsked = (log: readonly LogEvent[], given: string): number =>
  log.filter((event) => isRequest(event) && event['results'] === 0 && event.prompt?.replace(/^"|"$/g, '') === given)
    .length

const isRequest = ({ ev, kind }: LogEvent) => ev === 'request' && kind === 'main'
const isOf = ({ prompt }: LogEvent, turn: string) => prompt?.includes(turn) ?? false

function turnOf(log: readonly LogEvent[], id: number | undefined): string {
  const request = log.find((event) => event.ev === 'request' && event.id === id)
  return /TURN-\d+\./.exec(request?.prompt ?? '')?.[0] ?? 'TURN-?'
}
