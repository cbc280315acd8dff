/** `agentpty agent ls`: the agents that run, what each is at, and whether it has answered. */

import { stateWords } from '@agentpty/protocol/session'
import type { ListedAgent } from '@agentpty/protocol/verbs'
import { type Command, exitCode, withClient } from '../../command.ts'
import { usageText } from '../../find-command.ts'
import { cell, table } from '../../format-tables.ts'
import { readStates, type TerminalStates, terminalState } from '../../terminal-states.ts'

export const listRunningAgents: Command = {
  name: 'agent ls',
  usage: '',
  summary: 'list the running agents, their states and answers',
  group: 'agents',
  words: [0, 0],
  notes: [
    'ANSWER: whether the answer to the last task is there. TOKENS: as the program reports them. To list agents that you can start: agentpty agents',
  ],
  examples: ['agentpty agent ls'],
  run: async ({ options, json }) => {
    const text = await withClient(options, async (client) => {
      if (json) return `${JSON.stringify(await client.call('agents', {}))}\n`
      const [{ agents }, { states }] = await Promise.all([client.call('agents', {}), readStates(client)])
      return formatRunningAgents(agents, states)
    })
    await options.print(text)
    return exitCode.ok
  },
}

const columns = ['ID', 'NAME', 'AGENT', 'STATE', 'TASK', 'ANSWER', 'TOKENS', 'CWD'] as const
const typeWidthMax = 32

export function formatRunningAgents(agents: readonly ListedAgent[], states: TerminalStates): string {
  if (agents.length === 0) return 'No agents. Start one: agentpty agent spawn NAME "what it shall do"\n'
  const questions = agents.flatMap(({ terminalId, needs, question }) =>
    needs === 'answer'
      ? [`\n${terminalId} asks: ${question ?? 'see its screen'}\n  → agentpty agent reply ${terminalId}\n`]
      : [],
  )
  return [table([columns, ...agents.map((agent) => cellsOf(agent, states))]), ...questions].join('')
}

function cellsOf(agent: ListedAgent, states: TerminalStates): readonly string[] {
  const { terminalId, name, type, taskId, isAnswered, usage, cwd } = agent
  const answer = isAnswered === undefined ? '-' : isAnswered ? 'kept' : 'no'
  const used = usage === undefined ? '-' : usageText(usage)
  const state = stateWords(states.get(terminalId) ?? terminalState(agent, { isAgent: true }))
  return [terminalId, name ?? '-', cell(type, typeWidthMax), state, taskId ?? '-', answer, used, cwd]
}
