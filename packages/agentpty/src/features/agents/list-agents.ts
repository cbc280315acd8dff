/** The agents that the caller sees: what is kept of them, and what their terminals show. */

import type { Adapter } from '../../contracts/agents/adapter.ts'
import type { AgentTerminals } from '../../contracts/agents/agents.ts'
import { defined } from '../../contracts/defined.ts'
import type { VerbOutput } from '../../contracts/verbs/index.ts'
import type { KeptByTerminal } from './kept-by-terminal.ts'

type Listed = VerbOutput<'list'>['terminals'][number]
type Shown = VerbOutput<'agents'>['agents'][number]

export async function listAgents(
  kept: KeptByTerminal,
  adapters: readonly Adapter[],
  terminals: AgentTerminals,
): Promise<VerbOutput<'agents'>> {
  const { terminals: seen } = await terminals.call('list', {})
  return { agents: seen.flatMap((terminal) => shownOf(terminal, kept, adapters)) }
}

function shownOf(terminal: Listed, kept: KeptByTerminal, adapters: readonly Adapter[]): readonly Shown[] {
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
      cwd,
      ...{ state, kind, confidence, needs, question, evidence, exitCode, signal },
    }),
  ]
}
