/** The artifact of each agent: the answer captured from it last. It is kept whole by the store; of a long one the head is at hand. */

import {
  answerSearchBytesMax,
  artifactBytesMax,
  artifactsMax,
  BoundedMap,
  scrollbackRows,
  wholeCharacters,
} from '@agentpty/protocol'
import {
  type AgentStore,
  type AgentTerminals,
  type ArtifactSource,
  cleanText,
  hasFinished,
  type KeptTask,
} from '@agentpty/protocol/agents'
import type { ParsedVerbInput } from '@agentpty/protocol/verbs'
import { answerEndingOn, hasFenceEnd, lastFencedAnswer } from './fenced-answers.ts'
import { type Fences, fencesOf, plainFences } from './fences.ts'
import type { KeptByTerminal } from './kept-nodes.ts'

export interface Captured {
  readonly output: string
  readonly source: ArtifactSource
}

export interface Artifact extends Captured {
  readonly originalBytes: number
  readonly capturedAt: number
  /** Null when the agent was never instructed. */
  readonly taskId: string | null
}

export class Artifacts {
  readonly #kept: KeptByTerminal
  readonly #store: Pick<AgentStore, 'loadArtifact' | 'saveArtifact'>
  readonly #heads = new BoundedMap<string, string>(artifactsMax)

  constructor(kept: KeptByTerminal, store: Pick<AgentStore, 'loadArtifact' | 'saveArtifact'>) {
    this.#kept = kept
    this.#store = store
  }

  /** Null without one, and when it is the answer to an earlier task than its last. */
  find(terminalId: string): Artifact | null {
    const known = this.#kept.artifactOf(terminalId)
    const task = this.#kept.taskOf(terminalId)
    if (known === null || known.taskId !== (task?.taskId ?? null)) return null
    const output = this.#heads.get(terminalId) ?? this.#loadHead(terminalId)
    return output === null ? null : { output, ...known }
  }

  /** Keeps the artifact; returns the whole of it. Errors: `machine_unfit`, when it cannot be kept. */
  keep(terminalId: string, { output, source }: Captured, capturedAt: number): Artifact {
    const originalBytes = Buffer.byteLength(output)
    const taskId = this.#kept.taskOf(terminalId)?.taskId ?? null
    this.#store.saveArtifact(terminalId, output)
    this.#kept.answered(terminalId, { taskId, originalBytes, capturedAt, source })
    this.#heads.set(terminalId, headOf(output, originalBytes))
    return { output, originalBytes, capturedAt, taskId, source }
  }

  #loadHead(terminalId: string): string | null {
    const text = this.#store.loadArtifact(terminalId)
    if (text === null) return null
    const head = headOf(text, Buffer.byteLength(text))
    this.#heads.set(terminalId, head)
    return head
  }
}

/** The part that is at hand, without a character that would be cut. */
function headOf(text: string, bytes: number): string {
  if (bytes <= artifactBytesMax) return text
  return Buffer.from(wholeCharacters(Buffer.from(text).subarray(0, artifactBytesMax))).toString('utf8')
}

// Between fences, else the last message, else the end of the screen. The transcript comes first: a screen wraps and lacks the Markdown.

type ArtifactRequest = ParsedVerbInput<'artifact'>

interface Known {
  readonly task: KeptTask | null
  /** Reads the exact answer to the task from its transcript; null when the transcript does not have it. */
  readonly exactAnswer: () => Promise<string | null>
  /** Since its task, by its transcript; null where that has none. */
  readonly lastMessage: () => Promise<string | null>
}

/** Null when nothing is to be captured, or nothing is there. Errors: `session_not_found`. */
export async function capture(
  { terminalId, capture: way, fences, lines }: ArtifactRequest,
  terminals: AgentTerminals,
  { task, exactAnswer, lastMessage }: Known,
): Promise<Captured | null> {
  if (way === 'never') return null
  const isLookedFor = way === 'answer' || (way === 'missing' && (await isDone(terminalId, terminals)))
  const exact = isLookedFor ? await exactAnswer() : null
  if (exact !== null) return { output: exact, source: 'transcript' }
  const answer = isLookedFor ? await answerOf({ terminalId, fences: fences ?? plainFences, task }, terminals) : null
  if (answer !== null) return { output: answer, source: 'fences' }
  const isFinished = isLookedFor && (way === 'missing' || (await isDone(terminalId, terminals)))
  const message = isFinished ? await lastMessage() : null
  if (message !== null) return { output: message, source: 'message' }
  return way === 'missing' ? null : { output: await endOfScreen(terminalId, lines, terminals), source: 'screen' }
}

async function isDone(terminalId: string, terminals: AgentTerminals): Promise<boolean> {
  const { terminals: seen } = await terminals.call('wait', { waitFor: 'none', terminalIds: [terminalId] })
  return seen.every(hasFinished)
}

interface Asked {
  readonly terminalId: string
  readonly fences: Fences
  readonly task: KeptTask | null
}

/** Between the fences of its task; else between those that anybody can print, unless that is from before the task. */
async function answerOf({ terminalId, fences, task }: Asked, terminals: AgentTerminals): Promise<string | null> {
  const own = task === null || task.nonce === null ? null : fencesOf(task.nonce)
  const answer = own === null ? null : await lastAnswer(terminalId, own, terminals)
  if (answer !== null) return answer
  const plain = await lastAnswer(terminalId, fences, terminals)
  if (task === null || plain === null || plain !== task.before) return plain
  // The same words again: what was printed since shows whether it is the same answer.
  return lastFencedAnswer(await terminals.textSince(terminalId, task.since, answerSearchBytesMax), fences)
}

/** The last whole one that ends on its screen: what has scrolled away is looked at only where it ends there. Errors: `session_not_found`. */
export async function answerShown(
  terminalId: string,
  fences: Fences,
  terminals: AgentTerminals,
): Promise<string | null> {
  const { screen } = await terminals.call('screenshot', { format: 'plain', terminalId })
  return hasFenceEnd(screen, fences) ? lastAnswer(terminalId, fences, terminals) : lastFencedAnswer(screen, fences)
}

async function lastAnswer(terminalId: string, fences: Fences, terminals: AgentTerminals): Promise<string | null> {
  const { screen } = await terminals.call('screenshot', { format: 'plain', terminalId, lines: scrollbackRows })
  const shown = lastFencedAnswer(screen, fences)
  if (!hasFenceEnd(screen, fences)) return shown
  // The answer began above the scrollback.
  return answerEndingOn(screen, await terminals.newestText(terminalId, answerSearchBytesMax), fences) ?? shown
}

async function endOfScreen(terminalId: string, lines: number, terminals: AgentTerminals): Promise<string> {
  const { screen } = await terminals.call('screenshot', { terminalId, lines }, { keepsBlanks: true })
  const rows = screen === '' ? [] : screen.split('\n').slice(-lines)
  return cleanText(rows.join('\n'))
}
