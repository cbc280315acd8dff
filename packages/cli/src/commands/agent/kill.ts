/** `agentpty agent kill`: the end of agents, with every process in their terminals and all that they have started. */

import type { Client } from '@agentpty/protocol'
import { invalidInput } from '@agentpty/protocol'
import { type Command, withClient } from '../../command.ts'
import { tellClosed } from '../terminals.ts'

export const killAgents: Command = {
  name: 'agent kill',
  usage: 'ID...',
  summary: 'end agents, all their processes, and the agents that they started',
  group: 'agents',
  words: [1, 64],
  completes: 'terminals',
  flags: {
    only: { type: 'boolean', help: 'leave out the terminals that they started' },
    force: { type: 'boolean', help: 'include the agent in whose terminal this command runs' },
  },
  notes: [
    'Only terminals of agents are accepted; `agentpty close` ends others. Print the answers that you need first.',
  ],
  examples: ['agentpty agent kill term-4', 'agentpty agent kill review audit'],
  run: async ({ options, words, flags, json }) => {
    const result = await withClient(options, async (client) => {
      await assertAgents(client, words)
      return client.call('close', {
        terminalIds: [...words],
        below: flags['only'] !== true,
        force: flags['force'] === true,
      })
    })
    return tellClosed(result, { options, json })
  },
}

/** Errors: `session_not_found`; `invalid_input` for a terminal that is no agent’s. */
async function assertAgents(client: Client, ids: readonly string[]): Promise<void> {
  await client.call('wait', { terminalIds: [...ids], waitFor: 'none' })
  const { agents } = await client.call('agents', {})
  const other = ids.find((id) => !agents.some(({ terminalId, name }) => terminalId === id || name === id))
  if (other === undefined) return
  throw invalidInput(
    `${other} is the terminal of no agent. Nothing was ended.`,
    `To close it anyway: agentpty close ${other}`,
  )
}
