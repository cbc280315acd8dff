/** Waiting for agents on which others depend. */

import { type Clock, defined, isTermError, type Millis, waitMsMax } from '@agentpty/protocol'
import { type AgentTerminals, hasFinished } from '@agentpty/protocol/agents'
import type { CallContext } from '@agentpty/protocol/call'
import type { AwaitedAgent, ParsedVerbInput, VerbInput, WaitedTerminal } from '@agentpty/protocol/verbs'
import { answerShown, type Captured } from './artifacts.ts'
import type { Fences } from './fences.ts'

type AwaitRequest = ParsedVerbInput<'awaitAgents'>
type Ended = Omit<WaitedTerminal, 'outcome'> & { readonly outcome: NonNullable<AwaitedAgent['outcome']> }

export interface Awaiting {
  readonly clock: Clock
  /** How a row begins by which an agent says that it is idle; null where only its turn says so. */
  readonly idlePatternOf: (terminalId: string) => string | null
  /** Between which it was asked to answer last; null when it was not asked for any. */
  readonly fencesOf: (terminalId: string) => Fences | null
  /** When it was given its task, by the wall clock; null without one. */
  readonly givenAtOf: (terminalId: string) => Millis | null
  /** To its task, if its transcript has it already. */
  readonly exactAnswer: (terminalId: string) => Promise<string | null>
  /** Called with the answer between its fences. */
  readonly answered: (terminalId: string, answer: Captured) => void
  /** Resolves when its first instruction, which waits for a dialog, was given or cannot be; null where none waits. */
  readonly pendingOf: (terminalId: string) => Promise<void> | null
}

interface OneWait extends Pick<AwaitRequest, 'atDialog'> {
  readonly terminalId: string
  readonly begun: Millis
  readonly deadline: Millis
  readonly signal: AbortSignal
}

/** Resolves when all have finished, or any where that is enough, the time is over, or one is lost: closed, or ended by a signal. Errors: `cancelled`. */
export async function waitForAgents(
  request: AwaitRequest,
  terminals: AgentTerminals,
  awaiting: Awaiting,
): Promise<readonly AwaitedAgent[]> {
  const { clock } = awaiting
  const begun = clock.now()
  const deadline = begun + Math.min(request.waitTimeoutMs, terminals.context.waitMsMax ?? waitMsMax)
  const isOver = new AbortController()
  const own = terminals.context.signal
  const signal = AbortSignal.any([isOver.signal, ...(own === undefined ? [] : [own])])
  const waits = request.terminalIds.map(async (terminalId): Promise<AwaitedAgent> => {
    const id = terminals.isSeen(terminalId) ? terminals.idOf(terminalId) : terminalId
    try {
      const { atDialog, until } = request
      const turn = await waitForOne({ terminalId, atDialog, begun, deadline, signal }, terminals, awaiting)
      if (turn.signal !== undefined || (until === 'any' && turn.outcome !== 'timeout')) isOver.abort()
      const why = turn.state === 'exited' ? whyClosed(id, terminals) : null
      return why === null ? { ...turn, terminalId } : { ...turn, terminalId, outcome: 'gone', why }
    } catch (error) {
      if (!isTermError(error)) throw error
      const isGone = error.code === 'session_not_found'
      if (isGone) isOver.abort()
      else if (error.code !== 'cancelled' || !isOver.signal.aborted || own?.aborted) throw error
      return isGone
        ? defined({ terminalId, outcome: 'gone' as const, why: whyClosed(id, terminals) ?? undefined })
        : { terminalId }
    }
  })
  try {
    return await Promise.all(waits)
  } finally {
    // When one wait fails the others are ended.
    isOver.abort()
  }
}

/** Null where it was no limit, or of a terminal that the caller would not see. */
function whyClosed(id: string, terminals: AgentTerminals): string | null {
  const scope = terminals.context.scope?.id
  const found = terminals.overTime().find((one) => one.terminal.terminalId === id)
  return found === undefined || (scope !== undefined && found.scope !== scope) ? null : found.why
}

/** Repeats bounded waits until the deadline. An agent that has closed its answer's fences has finished, whatever it still draws. */
async function waitForOne(wait: OneWait, terminals: AgentTerminals, awaiting: Awaiting): Promise<Ended> {
  const { terminalId, atDialog, begun, deadline, signal } = wait
  const { clock, idlePatternOf } = awaiting
  const progress = progressSince(begun, terminals, clock)
  const waitOn = (input: Omit<VerbInput<'wait'>, 'terminalIds'>) =>
    waitOnce({ terminalIds: [terminalId], ...input }, defined({ signal, progress }), terminals)
  const isPending = () => awaiting.pendingOf(terminalId) !== null
  const hasAnswered = async () => {
    const fences = isPending() ? null : awaiting.fencesOf(terminalId)
    if (fences === null) return false
    const [exact, shown] = await Promise.all([
      awaiting.exactAnswer(terminalId),
      answerShown(terminalId, fences, terminals),
    ])
    // A moment later the agent may have drawn over it.
    if (exact !== null) awaiting.answered(terminalId, { output: exact, source: 'transcript' })
    else if (shown !== null) awaiting.answered(terminalId, { output: shown, source: 'fences' })
    return exact !== null || shown !== null
  }
  /** It shows its idle pattern in two looks, between which the program may echo what was just typed. Where it was asked for fences they decide. */
  const showsPattern = async () => {
    const pattern = isPending() || awaiting.fencesOf(terminalId) !== null ? null : idlePatternOf(terminalId)
    if (pattern === null || !(await showsIdle(terminalId, pattern, terminals, 'alone'))) return null
    const turn = await waitOn({
      waitFor: 'ready',
      waitTimeoutMs: Math.min(partOf(deadline - clock.now()), secondLookMs),
    })
    const isIdle = turn.state !== 'exited' && turn.needs !== 'answer'
    return isIdle && (await showsIdle(terminalId, pattern, terminals, 'alone')) ? turn : null
  }
  // An answer from before this wait counts as well.
  let since = terminals.endOf(terminalId)
  if (await hasAnswered()) {
    const turn = await waitOn({ waitFor: 'none' })
    if (turn.needs !== 'answer') return { ...turn, outcome: 'finished' }
  }
  let looks = 0
  /** It is at rest without the answer that it was asked for. On a busy machine it may show and write it a moment later, or be between two steps. */
  const looksAgain = async (turn: WaitedTerminal) => {
    if (turn.confidence === 'low' || looks === furtherLooks || deadline <= clock.now()) return false
    looks++
    const waitTimeoutMs = Math.min(partOf(deadline - clock.now()), secondLookMs)
    await waitOn({ since: [turn.cursor], waitFor: 'output', waitTimeoutMs })
    return true
  }
  for (;;) {
    const shown = await showsPattern()
    if (shown !== null) return { ...shown, outcome: 'finished' }
    const fences = awaiting.fencesOf(terminalId)
    // The request for an answer has the fence, too, and may be drawn again.
    const waitFor = fences === null ? readyOr(idlePatternOf(terminalId)) : ['ready' as const, { text: fences.close }]
    const turn = await waitOn({ since: [since], waitFor, waitTimeoutMs: partOf(deadline - clock.now()) })
    since = turn.cursor
    if (turn.outcome === 'exited') return { ...turn, outcome: 'finished' }
    const isMet = turn.outcome === 'met'
    const isDialog = isMet && turn.needs === 'answer'
    const isReady = isMet && hasFinished(turn)
    const unsureMs = isReady && fences !== null && turn.confidence === 'low' ? beginsIn(terminalId, awaiting) : 0
    const isIdle =
      isReady && unsureMs <= 0 && !isPending() && (await showsIdle(terminalId, idlePatternOf(terminalId), terminals))
    if (isMet && !isDialog && (await hasAnswered())) return { ...turn, outcome: 'finished' }
    if (isIdle && fences !== null && (await looksAgain(turn))) continue
    if (isIdle) return { ...turn, outcome: 'finished' }
    if (isDialog && atDialog === 'end') return { ...turn, outcome: 'asks' }
    const left = partOf(deadline - clock.now())
    if (left === 0) return { ...turn, outcome: isDialog ? 'asks' : 'timeout' }
    // Its terminal does not change until the dialog is answered, or the agent shows that it is idle.
    const changed = () => waitOn({ since: [since], waitFor: 'output', waitTimeoutMs: left })
    if (unsureMs > 0) await waitOn({ since: [since], waitFor: 'output', waitTimeoutMs: Math.min(left, unsureMs) })
    else if (isDialog || isReady) await Promise.race([changed(), awaiting.pendingOf(terminalId) ?? never])
    // During a flood of output the screen is not drawn for each piece.
    else if (isMet && fences === null) await waitOn({ waitFor: 'ready', waitTimeoutMs: Math.min(left, secondLookMs) })
  }
}

/** How much longer an agent that shows nothing of its task may still begin it: on a busy machine some take seconds. */
function beginsIn(terminalId: string, { clock, givenAtOf }: Awaiting): Millis {
  return (givenAtOf(terminalId) ?? 0) + beginsMs - clock.wall()
}

const beginsMs = 10_000

const never = new Promise<void>(() => {})

/** Output may bring the pattern. */
function readyOr(idlePattern: string | null): NonNullable<VerbInput<'wait'>['waitFor']> {
  return idlePattern === null ? 'ready' : ['ready', 'output']
}

/** How long an idle pattern is shown before it counts: longer than an agent takes to draw a question that it has announced. */
const secondLookMs = 1_200

/** At an agent that rests without its answer. */
const furtherLooks = 2

/** The pattern begins one of the last rows. `alone`: with no other sign, an entered line behind it with the cursor below does not count. */
async function showsIdle(
  terminalId: string,
  pattern: string | null,
  terminals: AgentTerminals,
  evidence: 'alone' | 'besides' = 'besides',
): Promise<boolean> {
  if (pattern === null) return true
  const { screen, cursorRow } = await terminals.call('screenshot', { terminalId, format: 'plain' })
  const rows = screen.split('\n').map((row, index) => ({ text: row.replaceAll(frame, ''), index }))
  const last = rows.filter(({ text }) => text !== '').slice(-idleRows)
  return last.some(({ text, index }) => {
    if (!text.startsWith(pattern) || Buffer.byteLength(text) >= idleRowBytesMax) return false
    return evidence === 'besides' || text.slice(pattern.length).trim() === '' || cursorRow <= index
  })
}

const frame = /^[\s│┃║▌]+|[\s│┃║▐]+$/gu
/** A longer row, or one further up, is text that begins like it. */
const idleRows = 5
const idleRowBytesMax = 40

function partOf(leftMs: Millis): Millis {
  return Math.min(Math.max(0, Math.ceil(leftMs)), waitMsMax)
}

async function waitOnce(input: VerbInput<'wait'>, context: Partial<CallContext>, terminals: AgentTerminals) {
  const [turn] = (await terminals.call('wait', input, context)).terminals
  if (turn === undefined) throw new Error('a wait for one terminal reports one')
  return turn
}

/** Each part of a wait reports how long the whole wait has lasted. */
function progressSince(begun: Millis, { context: { progress } }: AgentTerminals, clock: Clock) {
  if (progress === undefined) return undefined
  const before = clock.now() - begun
  return (waitedMs: Millis, totalMs: Millis) => progress(before + waitedMs, before + totalMs)
}
