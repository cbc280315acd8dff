/** Commands about agentpty itself: its daemon, its health, and what agents' hooks say. */

import type { Client } from '../../../contracts/client.ts'
import { isTermError } from '../../../contracts/errors.ts'
import type { DiscoveryState } from '../../../contracts/home/discovery.ts'
import { parseToolsets, toolsetNames } from '../../../contracts/mcp/tool.ts'
import type { TerminalDrops } from '../../../contracts/session/dropped.ts'
import { ownTerminalError } from '../../../contracts/session/own-terminal.ts'
import { type CliOptions, type Command, exitCode, textFlag, withClient } from '../command.ts'
import { explain } from '../explain.ts'
import { formatReport } from '../report.ts'

export const serveMcp: Command = {
  name: 'mcp',
  usage: '',
  summary: 'serve MCP over stdio: this is what you register with your agent',
  group: 'agents',
  words: [0, 0],
  flags: {
    toolset: {
      type: 'string',
      value: 'NAMES',
      choices: toolsetNames,
      help: 'which tools to give: a name, or several as a,b',
    },
  },
  examples: ['claude mcp add agentpty -- npx agentpty mcp'],
  run: async ({ options, flags }) => {
    const names = textFlag(flags, 'toolset')
    await options.serveMcp(names === undefined ? undefined : parseToolsets(names))
    return exitCode.ok
  },
}

export const explainTurn: Command = {
  name: 'explain',
  usage: 'ID',
  summary: 'whose turn it is in a terminal, and why',
  group: 'people',
  words: [1, 1],
  completes: 'terminal',
  flags: { follow: { type: 'boolean', short: 'f', help: 'and each time it changes' } },
  run: async ({ options, words: [terminalId = ''], flags, json }) => {
    const { print } = options
    await withClient(options, (client) =>
      explain(client, { terminalId, follow: flags['follow'] === true, json, print }),
    )
    return exitCode.ok
  },
}

export const reportState: Command = {
  name: 'report',
  usage: 'STATE',
  summary: 'for an agent’s hooks: says in its terminal that it is idle, working, blocked, done or in error',
  group: 'agents',
  words: [1, 1],
  flags: { message: { type: 'string', short: 'm', value: 'TEXT', help: 'what it asks' } },
  examples: ['agentpty report blocked --message "Run ls?"'],
  run: async ({ options, words: [state = ''], flags }) => {
    options.tellTerminal(formatReport(state, textFlag(flags, 'message')))
    return exitCode.ok
  },
}

export const showStatus: Command = {
  name: 'status',
  usage: '',
  summary: 'the daemon, its process and its sockets',
  group: 'agentpty',
  words: [0, 0],
  run: async ({ options, json }) => {
    const told = await withClient(options, (client) => client.control.status())
    const { daemon, host, sessions, dropped, socket, http } = told
    options.print(
      json
        ? `${JSON.stringify(told)}\n`
        : `daemon    running, pid ${daemon.pid}, version ${daemon.version}, since ${daemon.startedAt}\n` +
            `ptyhost   running, pid ${host.pid}\n` +
            `terminals ${sessions.open} open, ${sessions.exited} ended and still readable\n` +
            dropped.map(leftOut).join('') +
            `clients   ${daemon.clients}\n` +
            `socket    ${socket}\n` +
            `http      ${http === null ? 'off' : `${http.url}/mcp`}\n${(http?.discovery ?? []).map(signpost).join('')}`,
    )
    return exitCode.ok
  },
}

/** What it was is told by `explain`. */
function leftOut({ terminalId }: TerminalDrops): string {
  return `          ${terminalId} has left something out beyond a bound: agentpty explain ${terminalId}\n`
}

/** Nothing is to be said of a file that is as it should be. */
function signpost({ path, kind, detail }: DiscoveryState): string {
  if (kind === 'ours') return ''
  return kind === 'others'
    ? `          ${path} is another server’s: ${detail}\n`
    : `          ${path} is not written: ${detail}\n`
}

export const showToken: Command = {
  name: 'token',
  usage: '',
  summary: 'the token that a client over HTTP sends: Authorization: Bearer TOKEN',
  group: 'agentpty',
  words: [0, 0],
  run: async ({ options, json }) => {
    const token = options.httpToken()
    options.print(json ? `${JSON.stringify({ token })}\n` : `${token}\n`)
    return exitCode.ok
  },
}

export const stopDaemon: Command = {
  name: 'stop',
  usage: '',
  summary: 'end the daemon; the terminals go on',
  group: 'agentpty',
  words: [0, 0],
  flags: {
    all: { type: 'boolean', help: 'and end every terminal' },
    force: { type: 'boolean', help: 'also the terminal that this runs in' },
  },
  run: async ({ options, flags, json }) => {
    const all = flags['all'] === true
    // To close what ptyhost still holds, a daemon that can speak to it is needed.
    const client = await options.connect({ mayStart: all }).catch((error: unknown) => {
      if (isTermError(error) && error.code === 'no_daemon') return null
      throw error
    })
    if (all && flags['force'] !== true && client !== null) await assertNotInside(options, client)
    await client?.control.stop({ all })
    const told = all ? 'Everything is closed.' : 'The daemon has ended; its terminals go on.'
    const message = client === null ? 'No daemon was running.' : told
    options.print(json ? `${JSON.stringify({ stopped: client !== null, all })}\n` : `${message}\n`)
    return exitCode.ok
  },
}

/** Errors: `own_terminal`. */
async function assertNotInside({ ownTerminalId }: CliOptions, client: Client): Promise<void> {
  if (ownTerminalId === null) return
  const { terminals } = await client.call('list', {})
  const isHere = terminals.some(({ terminalId, isActive }) => terminalId === ownTerminalId && isActive)
  if (!isHere) return
  await client.close()
  throw ownTerminalError(ownTerminalId, 'Ending everything')
}

export const serveDaemon: Command = {
  name: 'serve',
  usage: '',
  summary: 'run the daemon in the foreground, for a service manager; any other command starts one by itself',
  group: 'agentpty',
  words: [0, 0],
  run: async ({ options }) => {
    await options.serve()
    return exitCode.ok
  },
}
