/**
 * The answer of an agent: between fences if it uses them, else its last message, else the end of its screen. What its transcript has is taken before what its screen
 * shows: a program wraps there, draws tables, and leaves out what Markdown is made of.
 */

import { answerSearchBytesMax, scrollbackRows } from '@agentpty/protocol'
import { type AgentTerminals, cleanText, hasFinished, type KeptTask } from '@agentpty/protocol/agents'
import type { ParsedVerbInput } from '@agentpty/protocol/verbs'
import type { Captured } from './artifacts.ts'
import { answerEndingOn, hasFenceEnd, lastFencedAnswer } from './fenced-answers.ts'
import { type Fences, fencesOf, plainFences } from './fences.ts'

type ArtifactRequest = ParsedVerbInput<'artifact'>

interface Known {
  readonly task: KeptTask | null
  /** Of the task, by its transcript; null where that does not have it. */
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
