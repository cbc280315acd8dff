/** `agentpty agent ls`: the agents that run, what each is at, and whether it has answered. */

import type { VerbOutput } from '../../../../contracts/verbs/index.ts'
import { type Command, exitCode, withClient } from '../../command.ts'
import { cell, table } from '../../table.ts'
import { usageText } from '../../usage-text.ts'

type Agent = VerbOutput<'agents'>['agents'][number]

export const listRunningAgents: Command = {
  name: 'agent ls',
  usage: '',
  summary: 'the agents that were started, whose turn it is, and which have answered',
  group: 'agents',
  words: [0, 0],
  notes: [
    'ANSWER: whether that to its last task is kept already. TOKENS: as its program tells. What can be started: agentpty agents',
  ],
  run: async ({ options, json }) => {
    const listed = await withClient(options, (client) => client.call('agents', {}))
    await options.print(json ? `${JSON.stringify(listed)}\n` : formatRunningAgents(listed.agents))
    return exitCode.ok
  },
}

const columns = ['ID', 'NAME', 'AGENT', 'STATE', 'TASK', 'ANSWER', 'TOKENS', 'CWD'] as const
const typeWidthMax = 32

export function formatRunningAgents(agents: readonly Agent[]): string {
  if (agents.length === 0) return 'No agents. Start one: agentpty agent spawn NAME "what it shall do"\n'
  const questions = agents.flatMap(({ terminalId, needs, question }) =>
    needs === 'answer'
      ? [`\n${terminalId} asks: ${question ?? 'see its screen'}\n  → agentpty agent reply ${terminalId}\n`]
      : [],
  )
  return [table([columns, ...agents.map(cellsOf)]), ...questions].join('')
}

function cellsOf(agent: Agent): readonly string[] {
  const { terminalId, name, type, taskId, isAnswered, usage, cwd } = agent
  const answer = isAnswered === undefined ? '-' : isAnswered ? 'kept' : 'no'
  const used = usage === undefined ? '-' : usageText(usage)
  return [terminalId, name ?? '-', cell(type, typeWidthMax), agentState(agent), taskId ?? '-', answer, used, cwd]
}

/** In a word, as people say it. */
export function agentState({ state, needs, exitCode: code, signal }: Partial<Agent>): string {
  if (state === 'exited') return `ended ${signal ?? code ?? ''}`.trim()
  if (needs === 'answer') return 'asks'
  return state === 'busy' ? 'at work' : 'idle'
}
