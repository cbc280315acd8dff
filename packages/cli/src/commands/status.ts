import { ignoring } from '@agentpty/protocol'
import type { DiscoveryState } from '@agentpty/protocol/home'
import type { TerminalDrops } from '@agentpty/protocol/session'
import type { DaemonStatus } from '@agentpty/protocol/wire'
import { type CliOptions, type Command, exitCode, withClient } from '../command.ts'

export const showStatus: Command = {
  name: 'status',
  usage: '',
  summary: 'show the daemon, its process and its ports',
  group: 'agentpty',
  words: [0, 0],
  flags: { start: { type: 'boolean', help: 'start a daemon if none runs' } },
  notes: ['If no daemon runs, it says so and exits with 3.'],
  examples: ['agentpty status', 'agentpty status --start'],
  run: async ({ options, flags, json }) => {
    const status = await readStatus(options, flags['start'] === true)
    if (json) options.print(`${JSON.stringify(status ?? { daemon: null })}\n`)
    else options.print(status === null ? noDaemonText : statusText(status))
    return status === null ? exitCode.noDaemon : exitCode.ok
  },
}

const noDaemonText = 'No daemon runs. Most commands start one; terminals that are open go on meanwhile.\n'

/** Null when no daemon runs. */
function readStatus(options: CliOptions, mayStart: boolean): Promise<DaemonStatus | null> {
  return withClient(options, (client) => client.control.status(), { mayStart }).catch(ignoring('no_daemon'))
}

function statusText(status: DaemonStatus): string {
  const { daemon, host, profile, sessions, dropped, socket, http, stateFolder, previous, log, audit } = status
  return (
    `daemon    running, pid ${daemon.pid}, version ${daemon.version}, since ${daemon.startedAt}\n` +
    `ptyhost   running, pid ${host.pid}\n` +
    `terminals ${sessions.open} open, ${sessions.exited} ended and still readable\n` +
    dropped.map(leftOut).join('') +
    `clients   ${daemon.clients}\n` +
    (profile === 'off' ? 'policy    off: agents are asked about nothing, and only the floor is refused\n' : '') +
    `state     ${stateFolder}\n` +
    `socket    ${socket}\n` +
    (previous === null ? '' : `before    ${previous.text}\n`) +
    unwritten('log', log && `${log.lines} lines since ${log.since}: ${log.reason}`) +
    unwritten('audit', audit.problem && `${audit.waiting} records wait: ${audit.problem}`) +
    `http      ${http === null ? 'off' : `${http.url}/mcp`}\n${(http?.discovery ?? []).map(signpost).join('')}`
  )
}

/** Null: it is written. */
function unwritten(what: string, problem: string | null): string {
  return problem === null ? '' : `${what.padEnd(9)} cannot be written; ${problem}\n`
}

/** `explain` shows what it was. */
function leftOut({ terminalId }: TerminalDrops): string {
  return `          ${terminalId} has left something out beyond a bound: agentpty explain ${terminalId}\n`
}

/** A file that is as it should be is not mentioned. */
function signpost({ path, kind, detail }: DiscoveryState): string {
  if (kind === 'ours') return ''
  return kind === 'others'
    ? `          ${path} is another server’s: ${detail}\n`
    : `          ${path} is not written: ${detail}\n`
}
