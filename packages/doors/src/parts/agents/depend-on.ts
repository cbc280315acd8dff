/** Agents on which another depends: they are waited for, and their answers are what its task may use. */

import { invalidInput, type TermError } from '@agentpty/protocol'
import type { AnyAgent } from './agents.ts'
import { artifactOf, toArtifact } from './artifacts.ts'
import type { AgentCall } from './queued-agents.ts'
import { durationText } from './text.ts'
import { waitForAgents } from './waits.ts'

/** Default timeout for a dependency, in seconds. */
export const dependsSecondsDefault = 300
/** How many lines of the screen are the artifact of an agent without fences. */
const artifactLines = 200

/** Zero and negative numbers mean the default. */
export function dependsSeconds(given: number | null | undefined): number {
  return given != null && given > 0 ? given : dependsSecondsDefault
}

/** A timeout in seconds, and how many of them remain. */
export interface Patience {
  readonly seconds: number
  readonly left?: number
}

/** The answers of agents once all of them are idle, in their order. Errors: `invalid_input`, when one is lost or late. */
export async function answersOf(
  agents: readonly AnyAgent[],
  { seconds, left = seconds }: Patience,
  call: AgentCall,
): Promise<readonly string[]> {
  if (agents.length === 0) return []
  const terminalIds = agents.map(({ terminalId }) => terminalId)
  const waited = await waitForAgents({ terminalIds, atDialog: 'wait', seconds: left }, call)
  for (const [at, agent] of agents.entries()) {
    const { outcome, signal, exitCode, why = 'killed' } = waited[at] ?? {}
    if (outcome === 'gone' || signal !== undefined) throw notAlive(agent, why)
    if (exitCode !== undefined && exitCode !== 0) throw notAlive(agent, `ended with ${exitCode}`)
  }
  if (waited.some(({ outcome }) => outcome === 'timeout')) throw late(agents, seconds)
  return Promise.all(terminalIds.map((terminalId) => answerOf(terminalId, call)))
}

function late(agents: readonly AnyAgent[], seconds: number): TermError {
  const isInSlots = agents.every(({ slot }) => slot !== null)
  const names = agents.map(({ slot, sessionName }) => (isInSlots ? slot : sessionName)).join(' ')
  const message = `timeout waiting for dependency ${isInSlots ? 'slots' : 'agents'} [${names}] to become idle after ${durationText(seconds)}`
  return invalidInput(message, 'Look at them with read_from_agent, or wait with wait_for_idle first.')
}

function notAlive({ slot, sessionName }: AnyAgent, how: string): TermError {
  const which = slot === null ? 'agent' : `slot ${slot}`
  return invalidInput(`dependency ${which} (target ${sessionName}) is not alive (${how})`, '')
}

async function answerOf(terminalId: string, call: AgentCall): Promise<string> {
  const artifact = await artifactOf({ terminalId, capture: 'answer', lines: artifactLines }, call)
  return artifact === null ? '' : toArtifact(artifact).output
}
