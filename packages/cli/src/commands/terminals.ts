import { invalidInput } from '@agentpty/protocol'
import type { VerbOutput } from '@agentpty/protocol/verbs'
import { type Command, type CommandCall, exitCode, printResult, withClient } from '../command.ts'
import { formatSessions } from '../format-tables.ts'
import { parseSize } from '../parse-values.ts'
import { readStates } from '../terminal-states.ts'

export const listTerminals: Command = {
  name: 'ls',
  usage: '',
  summary: 'list the terminals and their states',
  group: 'terminals',
  words: [0, 0],
  examples: ['agentpty ls', 'agentpty ls --json'],
  run: async ({ options, json }) => {
    const text = await withClient(options, async (client) => {
      if (json) return `${JSON.stringify(await client.call('list', {}))}\n`
      const { terminals, states } = await readStates(client)
      return formatSessions(terminals, states, options.terminal?.size().cols || undefined)
    })
    options.print(text)
    return exitCode.ok
  },
}

export const renameTerminal: Command = {
  name: 'rename',
  usage: 'ID NAME',
  summary: 'rename a terminal',
  group: 'terminals',
  words: [2, 2],
  completes: 'terminal',
  examples: ['agentpty rename term-3 server'],
  run: async ({ options, words: [terminalId = '', name = ''], json }) => {
    const result = await withClient(options, (client) => client.call('rename', { terminalId, name }))
    return printResult({ options, json }, result, '')
  },
}

export const resizeTerminal: Command = {
  name: 'resize',
  usage: 'ID COLSxROWS',
  summary: 'change the size of a terminal for everyone who uses it',
  group: 'terminals',
  words: [2, 2],
  completes: 'terminal',
  examples: ['agentpty resize term-3 120x40'],
  run: async ({ options, words: [terminalId = '', size], json }) => {
    const { cols, rows } = parseSize(size)
    if (cols === undefined || rows === undefined) throw invalidInput('Which size?', 'For example: 120x40')
    const result = await withClient(options, (client) => client.call('resize', { terminalId, cols, rows }))
    return printResult({ options, json }, result, '')
  },
}

export const closeTerminals: Command = {
  name: 'close',
  usage: 'ID... | --all',
  summary: 'close terminals and end every process in them',
  group: 'terminals',
  words: [0, 1_000],
  completes: 'terminals',
  flags: {
    all: { type: 'boolean', help: 'close all terminals' },
    force: { type: 'boolean', help: 'include the terminal in which this command runs' },
    'leave-daemons': { type: 'boolean', help: 'leave processes that have detached themselves' },
  },
  examples: ['agentpty close build', 'agentpty close --all'],
  run: async ({ options, words, flags, json }) => {
    const isAll = flags['all'] === true
    if (isAll === words.length > 0) throw invalidInput('Name the terminals, or say --all.', '')
    const result = await withClient(options, async (client) => {
      const ids = isAll ? (await client.call('list', {})).terminals.map(({ terminalId }) => terminalId) : [...words]
      if (ids.length === 0) return { closed: [] }
      return client.call('close', {
        terminalIds: ids,
        leaveDaemons: flags['leave-daemons'] === true,
        force: flags['force'] === true,
      })
    })
    return tellClosed(result, { options, json })
  },
}

// Messages to a person after terminals were closed.

/** The exit code: failed where processes are left. */
export async function tellClosed(
  result: VerbOutput<'close'>,
  { options, json }: Pick<CommandCall, 'options' | 'json'>,
): Promise<number> {
  const survivors = result.survivors ?? 0
  if (json) await options.print(`${JSON.stringify(result)}\n`)
  else if (survivors > 0) options.complain(`agentpty: ${survivors} processes could not be ended.\n`)
  return survivors > 0 ? exitCode.failed : exitCode.ok
}
