/**
 * `agentpty hook`: the command that an agent's program runs automatically. Without news it prints nothing and exits
 * with 0, so that it can be in the settings of a program that also runs elsewhere.
 */

import { type Client, defined, invalidInput, isTermError } from '@agentpty/protocol'
import { renderHook, slotName } from '@agentpty/protocol/agents'
import { parseObject } from '@agentpty/protocol/wire'
import { type Command, type CommandCall, exitCode, type Flag, numberFlag, textFlag, withClient } from '../command.ts'
import { formatReport } from '../observation.ts'

const where: Readonly<Record<string, Flag>> = {
  auto: { type: 'boolean', help: 'the agent in this terminal (default); elsewhere the command does nothing' },
  in: { type: 'string', value: 'ID', help: 'this agent' },
  workspace: { type: 'string', value: 'NAME', help: 'with --slot: the workspace of the agent' },
  slot: { type: 'string', value: 'N', help: 'the slot of the agent' },
}

const rendering: Readonly<Record<string, Flag>> = {
  ...where,
  as: { type: 'string', value: 'TEMPLATE', help: 'the output: a template with {{context}}' },
}

export const startHook: Command = {
  name: 'hook start',
  usage: '',
  summary: 'for hooks of agents, at the start: print and remove steering messages',
  group: 'clients',
  words: [0, 0],
  flags: rendering,
  examples: ['agentpty hook start'],
  run: printSteering,
}

export const checkHook: Command = {
  name: 'hook check',
  usage: '',
  summary: 'for hooks of agents, during a turn: print and remove steering messages',
  group: 'clients',
  words: [0, 0],
  flags: rendering,
  notes: [
    'Without messages it prints nothing and exits with 0. To steer an agent: agentpty agent message ID --steer TEXT',
  ],
  examples: ['agentpty hook check'],
  run: printSteering,
}

export const emitHook: Command = {
  name: 'hook emit',
  usage: '',
  summary: 'for hooks of agents, at the end of a turn: keep the answer',
  group: 'clients',
  words: [0, 0],
  flags: {
    ...where,
    output: { type: 'string', value: 'TEXT', help: 'the answer; default: standard input' },
    field: { type: 'string', value: 'NAME', help: 'standard input is JSON; this field has the answer' },
  },
  notes: ['A message from --field does not replace an answer that is kept.'],
  examples: ['agentpty hook emit --output "the tests are green"', 'agentpty hook emit < report.md'],
  run: async (call) => {
    const { options, flags, json } = call
    const field = textFlag(flags, 'field')
    const output = textFlag(flags, 'output') ?? answerIn(await options.readInput(), field)
    if (output === null) return exitCode.ok
    return forAgent(call, async (client, terminalId) => {
      const input = { terminalId, output, unlessAnswered: field !== undefined }
      const result = await client.call('keepAnswer', defined(input))
      if (json) await options.print(`${JSON.stringify(result)}\n`)
    })
  },
}

function printSteering(call: CommandCall): Promise<number> {
  const { options, flags, json } = call
  return forAgent(call, async (client, terminalId) => {
    const { messages, text } = await client.call('inbox', defined({ terminalId, take: 'steering' as const }))
    if (json) await options.print(`${JSON.stringify({ messages })}\n`)
    else if (text !== '') await options.print(`${renderHook(textFlag(flags, 'as') ?? '{{context}}', text)}\n`)
  })
}

/** Null where that field is not there. */
function answerIn(text: string, field: string | undefined): string | null {
  if (field === undefined) return text
  const value = parseObject(text)?.[field]
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}

/** Where it runs for no agent, nothing is done. Errors: `invalid_input` for flags that name none. */
async function forAgent(
  { options, flags }: CommandCall,
  act: (client: Client, terminalId: string | undefined) => Promise<void>,
): Promise<number> {
  const named = namedAgent(flags)
  if (named === undefined && options.ownTerminalId === null) return exitCode.ok
  try {
    await withClient(options, (client) => act(client, named), { mayStart: false })
    return exitCode.ok
  } catch (error) {
    // By itself it may also run where no agentpty does, or in a terminal of another.
    const isElsewhere = isTermError(error) && (error.code === 'no_daemon' || error.code === 'invalid_input')
    if (named === undefined && isElsewhere) return exitCode.ok
    if (!isTermError(error)) throw error
    options.complain(`agentpty: ${error.message}\n`)
    return exitCode.failed
  }
}

/** Undefined: the one in whose terminal this runs. */
function namedAgent(flags: CommandCall['flags']): string | undefined {
  const id = textFlag(flags, 'in')
  const workspace = textFlag(flags, 'workspace')
  const slot = numberFlag(flags, 'slot')
  if ((workspace === undefined) !== (slot === undefined))
    throw invalidInput('--workspace and --slot name an agent together.', 'Or leave both out.')
  const ways = [id, slot, flags['auto'] === true ? true : undefined].filter((way) => way !== undefined)
  if (ways.length > 1) throw invalidInput('More than one agent is named.', 'Leave the others out.')
  return workspace === undefined || slot === undefined ? id : slotName(workspace, slot)
}

export const reportState: Command = {
  name: 'report',
  usage: 'STATE',
  summary: 'for hooks of agents: report that the agent is idle, working, blocked, done or in error',
  group: 'clients',
  words: [1, 1],
  flags: { message: { type: 'string', short: 'm', value: 'TEXT', help: 'the question of the agent' } },
  examples: ['agentpty report blocked --message "Run ls?"'],
  run: async ({ options, words: [state = ''], flags }) => {
    options.writeToTerminal(formatReport(state, textFlag(flags, 'message')))
    return exitCode.ok
  },
}
