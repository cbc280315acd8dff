/** The agents that the caller sees: what is kept of them, and what their terminals show. */

import { defined } from '@agentpty/protocol'
import type { Adapter, AgentTerminals } from '@agentpty/protocol/agents'
import type { VerbOutput } from '@agentpty/protocol/verbs'
import type { KeptByTerminal } from './kept-by-terminal.ts'
import type { Transcripts } from './transcripts/transcripts.ts'

type Listed = VerbOutput<'list'>['terminals'][number]
type Shown = VerbOutput<'agents'>['agents'][number]

export async function listAgents(
  { kept, transcripts, adapters }: ListedBy,
  terminals: AgentTerminals,
): Promise<VerbOutput<'agents'>> {
  const { terminals: seen } = await terminals.call('list', {})
  await transcripts.look(seen.map(({ terminalId }) => terminalId).filter((id) => kept.agentOf(id) !== null))
  return { agents: seen.flatMap((terminal) => shownOf(terminal, { kept, transcripts, adapters })) }
}

interface ListedBy {
  readonly kept: KeptByTerminal
  readonly transcripts: Transcripts
  /** As they are set now. */
  readonly adapters: readonly Adapter[]
}

function shownOf(terminal: Listed, { kept, transcripts, adapters }: ListedBy): readonly Shown[] {
  const { terminalId, name, cwd, state, kind, confidence, needs, question, evidence, exitCode, signal } = terminal
  const agent = kept.agentOf(terminalId)
  const task = kept.taskOf(terminalId)
  if (agent === null) return []
  const answered = kept.artifactOf(terminalId)?.taskId
  return [
    defined({
      terminalId,
      name,
      type: agent.type,
      asksForAnswer: adapters.find((one) => one.name === agent.type)?.asksForAnswer ?? false,
      conversation: agent.conversation ?? undefined,
      taskId: task?.taskId,
      instructedAt: task?.givenAt,
      isAnswered: task === null ? undefined : answered === task.taskId,
      usage: transcripts.usageOf(terminalId) ?? undefined,
      cwd,
      ...{ state, kind, confidence, needs, question, evidence, exitCode, signal },
    }),
  ]
}
