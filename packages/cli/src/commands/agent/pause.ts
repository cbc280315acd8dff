/** `agentpty agent pause` and `agentpty agent continue`: agents stand still with all that they have started, and go on. */

import { type Command, type CommandCall, printResult, withClient } from '../../command.ts'

const flags: Command['flags'] = { only: { type: 'boolean', help: 'not the agents that they have started' } }

export const pauseAgents: Command = {
  name: 'agent pause',
  usage: 'ID...',
  summary: 'stop agents where they are, with every process and all that they have started',
  group: 'agents',
  words: [1, 64],
  completes: 'terminals',
  flags: { ...flags, force: { type: 'boolean', help: 'also the agent in whose terminal this runs' } },
  notes: [
    'They use no processor and answer nothing until agentpty agent continue. Servers that they talk to may give them up meanwhile.',
  ],
  examples: ['agentpty agent pause term-4', 'agentpty agent continue term-4'],
  run: (call) => setPaused(call, true),
}

export const continueAgents: Command = {
  name: 'agent continue',
  usage: 'ID...',
  summary: 'let agents go on that were paused, with all that they have started',
  group: 'agents',
  words: [1, 64],
  completes: 'terminals',
  flags,
  examples: ['agentpty agent continue term-4'],
  run: (call) => setPaused(call, false),
}

async function setPaused({ options, words, flags: given, json }: CommandCall, paused: boolean): Promise<number> {
  const below = given['only'] !== true
  const request = { terminalIds: [...words], paused, below, force: given['force'] === true }
  const result = await withClient(options, (client) => client.call('pause', request))
  const { terminals, processes } = result
  const what = `${terminals.length} ${terminals.length === 1 ? 'terminal' : 'terminals'}, ${processes} processes`
  return printResult({ options, json }, result, `${paused ? 'Paused' : 'Going on'}: ${what}.\n`)
}
