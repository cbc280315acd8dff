/** `agentpty terminalcp …`: the command line of terminalcp, word for word, through the same door as its MCP tool. */

import {
  attach,
  type CliOptions,
  type Command,
  detachKey,
  exitCode,
  requireTerminal,
  withClient,
  withLastingClient,
} from '@agentpty/cli'
import { type Client, defined, ignoring } from '@agentpty/protocol'
import type { JsonObject } from '@agentpty/protocol/wire'
import { terminalcpVersion } from './contract.ts'
import { terminalOf } from './ids.ts'

interface Action {
  /** The arguments after its name. */
  readonly usage: string
  readonly wordsMin: number
  /** The arguments for the door, or what is wrong with the words. */
  readonly ask: (words: readonly string[]) => JsonObject | string
  /** The beginning of an error message. */
  readonly failure: string
  /** The older tool, which answers in JSON. */
  readonly tool?: 'terminal'
  /** The action starts no server; this is printed besides the error where none runs. */
  readonly withoutServer?: string
  /** Formats the answer for printing; without it the answer is printed unchanged. */
  readonly format?: (answer: string) => string
}

const line = (text: string) => `${text}\n`

const actions: Readonly<Record<string, Action>> = {
  list: { usage: '', wordsMin: 0, ask: () => ({}), failure: '', tool: 'terminal', format: formatSessions },
  start: {
    usage: 'ID COMMAND [ARG...] [--cwd DIR]',
    wordsMin: 2,
    ask: askToStart,
    failure: 'Failed to start session: ',
    format: (id) => `Started session: ${id}\n`,
  },
  stop: { usage: '[ID]', wordsMin: 0, ask: ([id]) => ({ id }), failure: 'Failed to stop session: ', format: line },
  stdout: {
    usage: 'ID [LINES]',
    wordsMin: 1,
    ask: ([id, lines]) => defined({ id, lines: lines === undefined ? undefined : Number.parseInt(lines, 10) || 0 }),
    failure: 'Failed to get stdout: ',
  },
  stream: {
    usage: 'ID [--since-last] [--with-ansi]',
    wordsMin: 1,
    ask: ([id, ...flags]) => ({
      id,
      since_last: flags.includes('--since-last'),
      strip_ansi: !flags.includes('--with-ansi'),
    }),
    failure: 'Failed to get stream: ',
  },
  stdin: {
    usage: 'ID TEXT|::KEY...',
    wordsMin: 2,
    ask: ([id, ...data]) => ({ id, data }),
    failure: 'Failed to send stdin: ',
  },
  resize: {
    usage: 'ID COLS ROWS',
    wordsMin: 3,
    ask: askToResize,
    failure: 'Failed to resize terminal: ',
    format: () => 'Terminal resized\n',
  },
  'term-size': {
    usage: 'ID',
    wordsMin: 1,
    ask: ([id]) => ({ id }),
    failure: 'Failed to get terminal size: ',
    format: line,
  },
  version: {
    usage: '',
    wordsMin: 0,
    ask: () => ({}),
    failure: 'Failed to get server version: ',
    withoutServer: `Client version: ${terminalcpVersion}\n`,
    format: (version) => `Server version: ${version}\nClient version: ${terminalcpVersion}\n`,
  },
  'kill-server': {
    usage: '',
    wordsMin: 0,
    ask: () => ({}),
    failure: 'Failed to kill server: ',
    withoutServer: '',
    format: (answer) => answer.replace(/^shutting down\n/, 'Server killed\n').concat('\n'),
  },
}

const usages = [
  ...Object.entries(actions).map(([name, { usage }]) => `${name === 'list' ? 'ls | list' : name} ${usage}`.trim()),
  'attach ID',
]

export const terminalcp: Command = {
  name: 'terminalcp',
  usage: 'ACTION [WORD...] | --mcp | --server',
  summary: 'use the command line of terminalcp',
  group: 'clients',
  words: [0, Number.POSITIVE_INFINITY],
  takesCommand: true,
  takesFlags: true,
  flags: {
    mcp: { type: 'boolean', help: 'serve its tools over MCP, like mcp --toolset terminalcp' },
    server: { type: 'boolean', help: 'serve its socket, ~/.terminalcp/server.sock, in the foreground' },
  },
  notes: [
    ...usages,
    'Names of keys: ::Enter, ::Up, ::C-c, ::M-x. Ctrl+B leaves an attached terminal.',
    'stop without an id and kill-server end only sessions that this command started.',
  ],
  examples: ['agentpty terminalcp start py "python3 -i"', 'agentpty terminalcp stdin py "print(6 * 7)" ::Enter'],
  run: async ({ options, words, flags }) => {
    if (flags['mcp'] === true) await options.serveMcp(['terminalcp'])
    else if (flags['server'] === true) await options.serveTerminalcp()
    else return runAction(options, words)
    return exitCode.ok
  },
}

async function runAction(options: CliOptions, [word, ...words]: readonly string[]): Promise<number> {
  if (word === undefined) {
    await options.print(usages.map((usage) => `agentpty terminalcp ${usage}\n`).join(''))
    return exitCode.ok
  }
  const name = word === 'ls' ? 'list' : word
  if (name === 'attach' && words[0] !== undefined) return attachTo(options, words[0])
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined
  if (action === undefined && name !== 'attach') {
    options.complain(`Unknown command: ${name}\nSee: agentpty terminalcp --help\n`)
    return exitCode.failed
  }
  const usage = `agentpty terminalcp ${name} ${action?.usage ?? 'ID'}\n`
  const asked =
    action === undefined || words.length < action.wordsMin ? 'Missing required arguments' : action.ask(words)
  if (action === undefined || typeof asked === 'string') {
    options.complain(`${asked}\n${usage}`)
    return exitCode.failed
  }
  const args = { action: name, ...asked }
  const answer = await askDoor(options, action, args)
  if (answer === null) {
    options.complain(`${name === 'version' ? action.failure : ''}No server running\n`)
    await options.print(action.withoutServer ?? '')
    return exitCode.failed
  }
  if (answer.isError === true) {
    options.complain(`${action.failure}${answer.text}\n`)
    return exitCode.failed
  }
  await options.print((action.format ?? ((text: string) => text))(answer.text))
  return exitCode.ok
}

/** Null when no server runs and the action starts none. */
async function askDoor(options: CliOptions, action: Action, args: JsonObject) {
  const ask = (client: Client) => client.tools.call('terminalcp', action.tool ?? 'terminalcp', { args })
  if (action.withoutServer === undefined) return withClient(options, ask)
  return withClient(options, ask, { mayStart: false }).catch(ignoring('no_daemon'))
}

function askToStart(words: readonly string[]): JsonObject | string {
  const at = words.indexOf('--cwd')
  const cwd = words[at + 1]
  if (at >= 0 && cwd === undefined) return '--cwd requires a directory path'
  const [name, ...command] = at < 0 ? words : words.toSpliced(at, 2)
  if (name === undefined || command.length === 0) return 'Missing required arguments'
  return defined({ name, command: command.join(' '), cwd: at < 0 ? undefined : cwd })
}

function askToResize([id, cols, rows]: readonly string[]): JsonObject | string {
  const size = { cols: Number.parseInt(cols ?? '', 10), rows: Number.parseInt(rows ?? '', 10) }
  return Number.isNaN(size.cols) || Number.isNaN(size.rows) ? 'cols and rows must be numbers' : { id, ...size }
}

/** Each session as a block. Made from the older tool's JSON, in which no command line can be mistaken for a line of the list. */
function formatSessions(answer: string): string {
  const sessions = JSON.parse(answer) as readonly { id: string; command: string; running: boolean; cwd: string }[]
  if (sessions.length === 0) return 'No active sessions\n'
  return sessions
    .map(({ id, running, cwd, command }) => {
      const status = running ? 'running' : 'stopped'
      return `  ${id}\n    Status: ${status}\n    CWD: ${cwd}\n    Command: ${command}\n\n`
    })
    .join('')
}

async function attachTo(options: CliOptions, id: string): Promise<number> {
  const terminal = requireTerminal(options)
  const { print } = options
  const exit = await withLastingClient(options, (client) =>
    attach({
      client,
      clock: options.clock,
      terminal,
      print,
      terminalId: terminalOf(id),
      readOnly: false,
      fit: true,
      status: false,
      prefix: 'ctrl+b',
      mouse: true,
      onInterrupt: options.onInterrupt,
      keys: detachKey,
    }),
  )
  await print(exit === null ? `Detached from ${id}\n` : `${id} has ended\n`)
  return exitCode.ok
}
