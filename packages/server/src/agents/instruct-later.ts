/**
 * An instruction that waits for somebody to answer the dialog of an agent: whether its folder is trusted, say. Until it is typed the agent
 * has not finished.
 */

import { instructMsMax, isTermError, waitMsMax } from '@agentpty/protocol'
import { type AgentTerminals, hasFinished } from '@agentpty/protocol/agents'
import { type Instructing, type Instruction, instruct } from './instruct.ts'
import { outliving } from './outliving.ts'

type Given = Pick<Instruction, 'terminalId' | 'text' | 'asksForAnswer'>

/** Goes on after the call of `terminals` has ended. */
export function instructLater(given: Given, terminals: AgentTerminals, instructing: Instructing): void {
  const { kept } = instructing
  const isOver = give(given, outliving(terminals), instructing).catch((error: unknown) => {
    // It says so itself: it is gone, has ended, or somebody else types there.
    if (!isTermError(error)) throw error
  })
  kept.pending.set(given.terminalId, isOver)
  void isOver.finally(() => {
    if (kept.pending.get(given.terminalId) === isOver) kept.pending.delete(given.terminalId)
  })
}

async function give(given: Given, terminals: AgentTerminals, instructing: Instructing): Promise<void> {
  const { terminalId } = given
  let since = 0
  for (;;) {
    const waiting = { terminalIds: [terminalId], since: [since], waitTimeoutMs: waitMsMax }
    const [turn] = (await terminals.call('wait', { ...waiting, waitFor: 'ready' })).terminals
    if (turn === undefined || turn.state === 'exited') return
    since = turn.cursor
    // A dialog does not change until somebody has answered it.
    if (!hasFinished(turn)) await terminals.call('wait', { ...waiting, since: [since], waitFor: 'output' })
    else if (await isTaken(given, terminals, instructing)) return
  }
}

/** False where another dialog has come. */
async function isTaken(given: Given, terminals: AgentTerminals, instructing: Instructing): Promise<boolean> {
  try {
    await instruct({ ...given, waitFor: 'none', waitTimeoutMs: instructMsMax, isProved: true }, terminals, instructing)
    return true
  } catch (error) {
    if (isTermError(error) && error.code === 'needs_answer') return false
    throw error
  }
}
