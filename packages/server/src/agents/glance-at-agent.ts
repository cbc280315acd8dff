/** What a row of the overview says of an agent. */

import type { OverviewAgent } from '@agentpty/protocol/session'
import type { KeptByTerminal } from './kept-by-terminal.ts'
import type { Transcripts } from './transcripts/transcripts.ts'

export interface GlancedBy {
  readonly kept: KeptByTerminal
  readonly transcripts: Pick<Transcripts, 'usageOf'>
}

export function glanceAtAgent(terminalId: string, { kept, transcripts }: GlancedBy): OverviewAgent | null {
  const agent = kept.agentOf(terminalId)
  if (agent === null) return null
  const task = kept.taskOf(terminalId)
  const usage = transcripts.usageOf(terminalId)
  return {
    type: agent.type,
    conversation: agent.conversation,
    task: (task && kept.taskLines.get(task.taskId)) ?? null,
    tokens: usage === null ? null : usage.input + usage.output,
  }
}
