/** `agentpty agents`: which agents can be started by name here, and what is wrong with them. */

import type { AgentProgram } from '@agentpty/protocol/setup'
import { type Command, type CommandCall, printResult } from '../command.ts'
import { formatAgents } from '../format-agents.ts'
import { ProgressLine } from '../plain-text.ts'

export const listAgents: Command = {
  name: 'agents',
  usage: '',
  summary: 'list the agents that you can start, their versions and settings',
  group: 'agents',
  words: [0, 0],
  notes: [
    'Known programs are run with --version, for 10 s at most. Other commands are only looked up in PATH.',
    'MODELS: the models to choose from; * marks the default. SET IN: the entry below `agents:` in config.yaml.',
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
