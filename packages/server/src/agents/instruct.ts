/** Instructing an agent: a task with fences of its own, typed once the agent can take it, and proved to be taken. */

import {
  type Clock,
  defined,
  resultBefore,
  scrollbackRows,
  typedInstructionBytesMax,
  waitMsDefault,
} from '@agentpty/protocol'
import type { AgentStore, AgentTerminals, KeptTask } from '@agentpty/protocol/agents'
import { overviewTextCharactersMax } from '@agentpty/protocol/needs'
import type { VerbInput, VerbOutput } from '@agentpty/protocol/verbs'
import { lastFencedAnswer } from './fenced-answers.ts'
import { fencesOf, newNonce, plainFences, withFenceRequest } from './fences.ts'
import type { KeptByTerminal } from './kept-nodes.ts'

export interface Instructing {
  readonly kept: KeptByTerminal
  readonly store: Pick<AgentStore, 'saveInstruction'>
  readonly clock: Clock
}

export interface Instruction extends Pick<VerbInput<'send'>, 'waitFor' | 'waitTimeoutMs'> {
  readonly terminalId: string
  readonly text: string
  /** Between fences; the request for them is typed behind the text. */
  readonly asksForAnswer: boolean
  /** It is typed only into an agent that is idle; else into whatever is there. */
  readonly isProved: boolean
}

export interface Instructed {
  readonly task: KeptTask
  readonly seen: VerbOutput<'send'>
}

/** Errors: those of `send`; then its task before is its task still. */
export function instruct(
  instruction: Instruction,
  terminals: AgentTerminals,
  instructing: Instructing,
): Promise<Instructed> {
  return instructing.kept.claim(instruction.terminalId, () => giveTask(instruction, terminals, instructing))
}

async function giveTask(instruction: Instruction, terminals: AgentTerminals, { kept, store, clock }: Instructing) {
  const { terminalId, text, asksForAnswer, isProved, waitFor, waitTimeoutMs } = instruction
  await untilOver(kept.typing.get(terminalId), clock, waitTimeoutMs)
  // The output until it is idle belongs to its current work.
  if (isProved) await untilIdle(terminalId, waitTimeoutMs, { terminals, kept, clock })
  const nonce = asksForAnswer ? newNonce() : null
  const previous = kept.taskOf(terminalId)
  const task = kept.begin(terminalId, {
    nonce,
    since: terminals.endOf(terminalId),
    givenAt: clock.wall(),
    before: await plainAnswer(terminalId, terminals),
  })
  kept.taskLines.set(task.taskId, firstLine(text))
  const whole = nonce === null ? text : withFenceRequest(text, fencesOf(nonce))
  const typed = typedFor(whole, task, { store, folder: terminals.readableFolder(terminalId) })
  try {
    const input = defined({ terminalId, text: typed, instruct: isProved, waitFor, waitTimeoutMs })
    return { task, seen: await terminals.call('send', input) }
  } catch (error) {
    kept.restore(terminalId, previous)
    throw error
  }
}

interface Within extends Pick<Instructing, 'kept' | 'clock'> {
  readonly terminals: AgentTerminals
}

/** How long (ms) an agent that looks idle may load its conversation: one without an answer looks no different when it is loaded. */
const loadingMsMax = 10_000

async function untilIdle(terminalId: string, waitTimeoutMs: number | undefined, { terminals, kept, clock }: Within) {
  const waiting = { terminalIds: [terminalId], ...defined({ waitTimeoutMs }) }
  const [turn] = (await terminals.call('wait', waiting)).terminals
  const loading = kept.loading.get(terminalId)
  // A dialog comes first, and the caller learns of it from the result.
  if (loading === undefined || turn?.needs === 'answer') return
  await untilOver(loading, clock, Math.min(waitTimeoutMs ?? waitMsDefault, loadingMsMax))
  await terminals.call('wait', waiting)
}

const firstLine = (text: string): string => (/\S[^\r\n]*/.exec(text)?.[0] ?? '').slice(0, overviewTextCharactersMax)

async function untilOver(going: Promise<void> | undefined, clock: Clock, ms = waitMsDefault): Promise<void> {
  if (going !== undefined) await resultBefore(going, { clock, latest: clock.now() + ms })
}

async function plainAnswer(terminalId: string, terminals: AgentTerminals): Promise<string | null> {
  const { screen } = await terminals.call('screenshot', { format: 'plain', terminalId, lines: scrollbackRows })
  return lastFencedAnswer(screen, plainFences)
}

/** Length of the typed beginning of a long instruction: programs name the conversation after it. */
const startCharacters = 80

interface Place {
  readonly store: Instructing['store']
  readonly folder: string | 'anywhere' | null
}

function typedFor(text: string, { taskId }: KeptTask, { store, folder }: Place): string {
  const isLong = Buffer.byteLength(text) > typedInstructionBytesMax
  const path = isLong && folder !== null ? store.saveInstruction(taskId, text, folder) : null
  if (path === null) return text
  const start = firstLine(text).slice(0, startCharacters)
  return `${start} … This is only the start: all of it is in the file ${path}. Read all of it, and do what it says.`
}
