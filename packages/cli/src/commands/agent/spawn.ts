/** `agentpty agent spawn`: an agent in a terminal of its own, and its first instruction. */

import { defined, invalidInput, TermError } from '@agentpty/protocol'
import { TreeLimits } from '@agentpty/protocol/agents'
import type { VerbOutput } from '@agentpty/protocol/verbs'
import { type Command, type CommandCall, exitCode, textFlag, withClient } from '../../command.ts'
import { sandboxFlags, sandboxOf } from '../../parse-values.ts'
import { ProgressLine } from '../../plain-text.ts'
import { asksForAnswer, fenceFlags, tell, textOf } from './agent-words.ts'

export const spawnAgent: Command = {
  name: 'agent spawn',
  usage: 'TYPE [INSTRUCTION... | -]',
  summary: 'start an agent in a new terminal with a task; print the terminal’s id',
  group: 'agents',
  words: [1, Number.POSITIVE_INFINITY],
  completes: 'agent',
  flags: {
    model: { type: 'string', short: 'm', value: 'MODEL', help: 'the model to use' },
    cwd: { type: 'string', value: 'DIR', help: 'the working folder' },
    name: {
      type: 'string',
      short: 'n',
      value: 'NAME',
      help: 'the name of its terminal; commands accept it in place of the id',
    },
    label: { type: 'string', value: 'TEXT', help: 'the label that people see' },
    limits: {
      type: 'string',
      value: 'LIST',
      help: 'limits on the terminals that it may start, for example depth=2,total=5',
    },
    'through-dialogs': {
      type: 'boolean',
      help: 'if the agent shows a dialog first, give it the task after the dialog was answered',
    },
    ...fenceFlags,
    ...sandboxFlags,
  },
  notes: [
    'TYPE: the name of an agent (`agentpty agents` lists them), or a command line in one word.',
    '`-` reads the task from standard input. A long task is passed on as a file.',
    'A task is never typed into a dialog: the exit code is 1 then, and the agent keeps running. With --through-dialogs it is typed later.',
  ],
  examples: [
    'agentpty agent spawn claude "fix the failing test"',
    'agentpty agent spawn codex --model gpt-5 --name review - < task.md',
    'agentpty agent spawn "python3 my-agent.py" --fences "count the lines"',
  ],
  run: async (call) => {
    const [agent = '', ...words] = call.words
    const { flags } = call
    const instruction = words.length === 0 ? undefined : await textOf(words, call)
    const input = defined({
      agent,
      instruction,
      model: textFlag(flags, 'model'),
      cwd: textFlag(flags, 'cwd'),
      name: textFlag(flags, 'name'),
      label: textFlag(flags, 'label'),
      atDialog: flags['through-dialogs'] === true ? ('wait' as const) : undefined,
      asksForAnswer: asksForAnswer(flags),
      sandbox: sandboxOf(flags),
      limits: limitsOf(textFlag(flags, 'limits')),
    })
    const progress = new ProgressLine(call)
    progress.show(`Starting ${agent}${instruction === undefined ? '' : ', until it can be instructed'} …`)
    const spawning = withClient(call.options, (client) => client.call('spawn', input))
    const spawned = await spawning.finally(() => progress.clear())
    return reportSpawned(agent, spawned, call)
  },
}

/** Errors: `invalid_input`. */
function limitsOf(text: string | undefined): TreeLimits | undefined {
  if (text === undefined) return undefined
  const pairs = text.split(',').map((pair) => pair.split('=', 2).map((word) => word.trim()))
  const parsed = TreeLimits.safeParse(
    Object.fromEntries(pairs.map(([name, value = '']) => [name, Number(value || 'none')])),
  )
  if (parsed.success) return parsed.data
  const names = Object.keys(TreeLimits.shape).join(', ')
  throw invalidInput(`--limits "${text}" is no list of limits.`, `As in depth=2,total=5. There are: ${names}.`)
}

/** Prints its id, and what is to be said of it; the exit code. Errors: `spawn_failed` when there is no such program. */
export async function reportSpawned(agent: string, spawned: VerbOutput<'spawn'>, call: CommandCall): Promise<number> {
  const { terminal, notInstructed, isInstructedLater, suggestions, taskId } = spawned
  if (terminal === null) {
    const here = suggestions.length === 0 ? '' : `Installed here: ${suggestions.join(', ')}. `
    throw new TermError('spawn_failed', `There is no agent or command "${agent}".`, `${here}See: agentpty agents`)
  }
  const { terminalId } = terminal
  await call.options.print(call.json ? `${JSON.stringify(spawned)}\n` : `${terminalId}\n`)
  if (terminal.state === 'exited') {
    call.options.complain(`agentpty: ${agent} has ended already. See what it said: agentpty screen ${terminalId}\n`)
    return exitCode.exited
  }
  if (isInstructedLater) {
    tell(call, `${notInstructed} Answer with: agentpty agent reply ${terminalId}`)
    return exitCode.ok
  }
  if (notInstructed !== null) {
    const next = `agentpty attach ${terminalId}, then: agentpty agent send ${terminalId} TEXT`
    call.options.complain(`agentpty: it runs, and was not instructed: ${notInstructed}\nSee to it with: ${next}\n`)
    return exitCode.failed
  }
  const wait = `agentpty agent wait ${terminalId} && agentpty agent answer ${terminalId}`
  if (taskId !== null) tell(call, `It is working. Its answer: ${wait}`)
  return exitCode.ok
}
