/** `agentpty agent pause` and `agentpty agent continue`: agents stand still with all that they have started, and go on. */

import { type Command, type CommandCall, printResult, withClient } from '../../command.ts'

const flags: Command['flags'] = { only: { type: 'boolean', help: 'leave out the agents that they started' } }

export const pauseAgents: Command = {
  name: 'agent pause',
  usage: 'ID...',
  summary: 'pause agents, with all their processes and the agents that they started',
  group: 'agents',
  words: [1, 64],
  completes: 'terminals',
  flags: { ...flags, force: { type: 'boolean', help: 'include the agent in whose terminal this command runs' } },
  notes: [
    'A paused agent uses no CPU and answers nothing until `agentpty agent continue`. Servers may close its connections meanwhile.',
  ],
  examples: ['agentpty agent pause term-4', 'agentpty agent continue term-4'],
  run: (call) => setPaused(call, true),
}

export const continueAgents: Command = {
  name: 'agent continue',
  usage: 'ID...',
  summary: 'let paused agents continue, with the agents that they started',
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
  const what = `${counted(terminals.length, 'terminal', 'terminals')}, ${counted(processes, 'process', 'processes')}`
  return printResult({ options, json }, result, `${paused ? 'Paused' : 'Continued'}: ${what}.\n`)
}

const counted = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`
