import { isTermError } from '@agentpty/protocol'
import type { AgentTerminals } from '@agentpty/protocol/agents'

/** It is no error when somebody else has closed it meanwhile. Errors: `own_terminal`. */
export async function closeTerminal(terminalId: string, terminals: AgentTerminals): Promise<void> {
  await terminals.call('close', { terminalId }).catch((error: unknown) => {
    if (!isTermError(error) || error.code !== 'session_not_found') throw error
  })
}
