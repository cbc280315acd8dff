/** `agentpty agents`: which agents can be started by name here, and what is wrong with them. */

import type { AgentProgram } from '@agentpty/protocol/setup'
import { type Command, type CommandCall, printResult } from '../command.ts'
import { formatAgents } from '../format-agents.ts'
import { ProgressLine } from '../plain-text.ts'

export const listAgents: Command = {
  name: 'agents',
  usage: '',
  summary: 'the agents that can be started by name: which are installed, how they are set, and what is wrong',
  group: 'agents',
  words: [0, 0],
  notes: [
    'Programs that are known are asked for their version, each for 10 s at most; other commands are only looked for.',
    'MODELS: those that may be chosen, the default with a *. SET IN: the entry below agents: in config.yaml.',
  ],
  examples: ['agentpty agents', 'agentpty agents --json'],
  run: async (call) => {
    const agents = await found(call)
    return printResult(call, { agents }, formatAgents(agents))
  },
}

async function found(call: CommandCall): Promise<readonly AgentProgram[]> {
  const progress = new ProgressLine(call)
  const asked = await call.options.findAgents()
  let known = 0
  const show = () => progress.show(`Asking programs for their versions: ${known} of ${asked.length}`)
  show()
  const counted = asked.map(async (one) => {
    const agent = await one
    known += 1
    show()
    return agent
  })
  const agents = await Promise.all(counted)
  progress.clear()
  return agents
}
