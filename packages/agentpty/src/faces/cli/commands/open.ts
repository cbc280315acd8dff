/** `agentpty new`, `close`, `rename`, `resize`: terminals come, go and change. */

import { TermError } from '../../../contracts/errors.ts'
import { type Command, exitCode, numberFlag, textFlag, textsFlag, withClient } from '../command.ts'
import { parseWaitFor, waitForChoices, waitForHelp } from '../wait-words.ts'

export const newTerminal: Command = {
  name: 'new',
  usage: '[COMMAND [ARG...]]',
  summary: 'open a terminal: your shell, or a command',
  group: 'terminals',
  words: [0, Number.POSITIVE_INFINITY],
  takesCommand: true,
  flags: {
    name: { type: 'string', short: 'n', value: 'NAME', help: 'call it so; works wherever an id does' },
    cwd: { type: 'string', value: 'DIR', help: 'start there' },
    shell: { type: 'string', value: 'SHELL', help: 'this shell instead of yours' },
    env: { type: 'string', short: 'e', multiple: true, value: 'NAME=VALUE', help: 'more environment' },
    size: { type: 'string', value: 'COLSxROWS', help: 'default 120x30' },
    wait: {
      type: 'string',
      short: 'w',
      multiple: true,
      value: 'CONDITION',
      help: 'wait before it answers',
      choices: waitForChoices,
    },
    timeout: { type: 'string', value: 'MS', help: 'at most so long; default 30000' },
  },
  notes: [
    'One word is given to the shell: new "npm test | tee log". Several are run as they are: new -- gdb -q ./a.out',
    waitForHelp,
  ],
  examples: ['agentpty new --name build', 'agentpty new --wait ready -- python3 -q'],
  run: async ({ options, words, flags, json }) => {
    const made = await withClient(options, (client) =>
      client.call('create', {
        ...commandOf(words),
        ...optional('name', textFlag(flags, 'name')),
        ...optional('cwd', textFlag(flags, 'cwd')),
        ...optional('shell', textFlag(flags, 'shell')),
        env: Object.fromEntries(textsFlag(flags, 'env').map(parseAssignment)),
        ...parseSize(textFlag(flags, 'size')),
        waitFor: parseWaitFor(textsFlag(flags, 'wait')) ?? 'none',
        ...optional('waitTimeoutMs', numberFlag(flags, 'timeout')),
      }),
    )
    options.print(json ? `${JSON.stringify(made)}\n` : `${made.terminalId}\n`)
    return made.outcome === 'timeout' ? exitCode.timeout : exitCode.ok
  },
}

export const closeTerminals: Command = {
  name: 'close',
  usage: 'ID... | --all',
  summary: 'end terminals and every process in them',
  group: 'terminals',
  words: [0, 1_000],
  completes: 'terminals',
  flags: {
    all: { type: 'boolean', help: 'every terminal there is' },
    force: { type: 'boolean', help: 'also the terminal that this runs in' },
    'leave-daemons': { type: 'boolean', help: 'spare what has detached itself' },
  },
  examples: ['agentpty close build', 'agentpty close --all'],
  run: async ({ options, words, flags, json }) => {
    const isAll = flags['all'] === true
    if (isAll === words.length > 0) throw new TermError('invalid_input', 'Name the terminals, or say --all.', '')
    const result = await withClient(options, async (client) => {
      const ids = isAll ? (await client.call('list', {})).terminals.map(({ terminalId }) => terminalId) : [...words]
      if (ids.length === 0) return { closed: [] }
      return client.call('close', {
        terminalIds: ids,
        leaveDaemons: flags['leave-daemons'] === true,
        force: flags['force'] === true,
      })
    })
    const survivors = 'survivors' in result ? (result.survivors ?? 0) : 0
    if (json) options.print(`${JSON.stringify(result)}\n`)
    else if (survivors > 0) options.complain(`agentpty: ${survivors} processes could not be ended.\n`)
    return survivors > 0 ? exitCode.failed : exitCode.ok
  },
}

export const renameTerminal: Command = {
  name: 'rename',
  usage: 'ID NAME',
  summary: 'give a terminal another name',
  group: 'terminals',
  words: [2, 2],
  completes: 'terminal',
  examples: ['agentpty rename term-3 server'],
  run: async ({ options, words: [terminalId = '', name = ''], json }) => {
    const result = await withClient(options, (client) => client.call('rename', { terminalId, name }))
    if (json) options.print(`${JSON.stringify(result)}\n`)
    return exitCode.ok
  },
}

export const resizeTerminal: Command = {
  name: 'resize',
  usage: 'ID COLSxROWS',
  summary: 'change the size of its screen, for everybody',
  group: 'terminals',
  words: [2, 2],
  completes: 'terminal',
  examples: ['agentpty resize term-3 120x40'],
  run: async ({ options, words: [terminalId = '', size], json }) => {
    const { cols, rows } = parseSize(size)
    if (cols === undefined || rows === undefined)
      throw new TermError('invalid_input', 'Which size?', 'For example: 120x40')
    const result = await withClient(options, (client) => client.call('resize', { terminalId, cols, rows }))
    if (json) options.print(`${JSON.stringify(result)}\n`)
    return exitCode.ok
  },
}

function commandOf(words: readonly string[]): { readonly command?: string | string[] } {
  const [only] = words
  if (only === undefined) return {}
  return { command: words.length === 1 ? only : [...words] }
}

function parseAssignment(text: string): readonly [string, string] {
  const at = text.indexOf('=')
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)]
  throw new TermError('invalid_input', `--env ${text}: not NAME=VALUE.`, 'For example: --env CI=true')
}

/** Errors: `invalid_input` for what is no size. */
export function parseSize(text: string | undefined): { readonly cols?: number; readonly rows?: number } {
  if (text === undefined) return {}
  const [, cols, rows] = /^(\d{1,4})x(\d{1,4})$/.exec(text) ?? []
  if (cols !== undefined && rows !== undefined) return { cols: Number(cols), rows: Number(rows) }
  throw new TermError('invalid_input', `"${text}" is no size.`, 'Columns and rows, for example: 120x40')
}

export function optional<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [Key in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [Key in Name]?: Value }
}
