/** The artifact of an agent: the one that is kept, or what is captured now and better. */

import type { Clock } from '@agentpty/protocol'
import type { AgentTerminals, ArtifactSource } from '@agentpty/protocol/agents'
import type { ParsedVerbInput } from '@agentpty/protocol/verbs'
import type { Artifact, Artifacts, Captured } from './artifacts.ts'
import { capture } from './capture.ts'
import type { KeptByTerminal } from './kept-by-terminal.ts'
import type { Transcripts } from './transcripts/transcripts.ts'

type ArtifactRequest = ParsedVerbInput<'artifact'>

export interface TakenFrom {
  readonly clock: Clock
  readonly kept: KeptByTerminal
  readonly artifacts: Artifacts
  readonly transcripts: Transcripts
}

/** `terminalId` is an id. Errors: `session_not_found`, `environment`. */
export async function takeArtifact(
  request: ArtifactRequest,
  terminals: AgentTerminals,
  from: TakenFrom,
): Promise<Artifact | null> {
  const { terminalId } = request
  const found = from.artifacts.find(terminalId)
  const captured = await captureNow(request, found, { terminals, from })
  // An answer that was seen whole may be drawn over since.
  const isWorse = request.capture !== 'screen' && rankOf(captured) < rankOf(found)
  if (captured === null || isWorse) return found
  return from.artifacts.keep(terminalId, captured, from.clock.wall())
}

async function captureNow(
  request: ArtifactRequest,
  found: Artifact | null,
  { terminals, from }: { readonly terminals: AgentTerminals; readonly from: TakenFrom },
): Promise<Captured | null> {
  const { kept, transcripts } = from
  const { terminalId } = request
  const exactAnswer = () => transcripts.answer(terminalId)
  const lastMessage = () => transcripts.lastMessage(terminalId)
  if (request.capture !== 'missing' || found === null || found.source === 'message')
    return capture(request, terminals, { task: kept.taskOf(terminalId), exactAnswer, lastMessage })
  // It was seen on the screen before its program had written it down.
  const exact = found.source === 'fences' ? await exactAnswer() : null
  return exact === null ? null : { output: exact, source: 'transcript' }
}

/** How true to the answer it is. */
const rankOf = (captured: Captured | null): number => (captured === null ? -1 : ranks.indexOf(captured.source))
const ranks: readonly ArtifactSource[] = ['screen', 'message', 'fences', 'transcript', 'hook']
