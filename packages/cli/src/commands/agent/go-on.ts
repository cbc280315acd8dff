/** `agentpty agent fork` and `agent resume`: agents that begin with a conversation that there is. */

import { defined } from '@agentpty/protocol'
import type { VerbOutput } from '@agentpty/protocol/verbs'
import { type Command, type CommandCall, textFlag, withClient } from '../../command.ts'
import { ProgressLine } from '../../plain-text.ts'
import { asksForAnswer, fenceFlags, tell, textOf } from './agent-words.ts'
import { reportSpawned } from './spawn.ts'

type Started = VerbOutput<'fork'>

const flags: Command['flags'] = {
  name: {
    type: 'string',
    short: 'n',
    value: 'NAME',
    help: 'the name of its terminal; commands accept it in place of the id',
  },
  conversation: {
    type: 'string',
    value: 'ID',
    help: 'the program’s own id of the conversation, if agentpty does not know it',
  },
  ...fenceFlags,
}

export const forkAgent: Command = {
  name: 'agent fork',
  usage: 'ID [INSTRUCTION... | -]',
  summary: 'start a second agent with a copy of an agent’s conversation; print the terminal’s id',
  group: 'agents',
  words: [1, Number.POSITIVE_INFINITY],
  completes: 'terminal',
  flags: {
    worktree: {
      type: 'boolean',
      short: 'w',
      help: 'work in a new git worktree beside the repository, at its last commit',
    },
    branch: {
      type: 'string',
      short: 'b',
      value: 'NAME',
      help: 'the same, with this name for the branch and the folder',
    },
    ...flags,
  },
  notes: [
    'The new agent has the same model, permissions and sandbox. A worktree has no uncommitted changes.',
    'The worktree stays when the agent ends. Remove it with: git worktree remove PATH',
  ],
  examples: ['agentpty agent fork term-4', 'agentpty agent fork term-4 --worktree "try it with a queue"'],
  run: async (call) => {
    const { words, flags: given } = call
    const [terminalId = ''] = words
    const worktree = textFlag(given, 'branch') ?? (given['worktree'] === true ? true : undefined)
    const input = { terminalId, worktree, ...(await goingOn(call)) }
    const started = await shown(`Forking ${terminalId} …`, call, () =>
      withClient(call.options, (client) => client.call('fork', defined(input))),
    )
    return report(terminalId, started, call)
  },
}

export const resumeAgent: Command = {
  name: 'agent resume',
  usage: 'ID [INSTRUCTION... | -]',
  summary: 'start an agent that has ended again, with its conversation; print the terminal’s id',
  group: 'agents',
  words: [1, Number.POSITIVE_INFINITY],
  completes: 'terminal',
  flags,
  notes: [
    'ID: the id or name of the terminal that the agent had. The terminal may be closed, and the daemon may have restarted.',
  ],
  examples: ['agentpty agent resume term-4', 'agentpty agent resume review "and now the tests"'],
  run: async (call) => {
    const [agentId = ''] = call.words
    const input = { agentId, ...(await goingOn(call)) }
    const started = await shown(`Starting ${agentId} again …`, call, () =>
      withClient(call.options, (client) => client.call('resume', defined(input))),
    )
    return report(agentId, started, call)
  },
}

async function goingOn(call: CommandCall) {
  const [, ...words] = call.words
  const { flags: given } = call
  const instruction = words.length === 0 ? undefined : await textOf(words, call)
  return {
    instruction,
    asksForAnswer: asksForAnswer(given),
    name: textFlag(given, 'name'),
    conversation: textFlag(given, 'conversation'),
  }
}

function shown(line: string, call: CommandCall, start: () => Promise<Started>): Promise<Started> {
  const progress = new ProgressLine(call)
  progress.show(line)
  return start().finally(() => progress.clear())
}

function report(id: string, started: Started, call: CommandCall): Promise<number> {
  if (started.worktree !== null) tell(call, `It works in ${started.worktree.path}, which stays when it ends.`)
  return reportSpawned(id, started, call)
}
