/** The command line: what is said, to whom, and with which exit code. */

import { parseArgs } from 'node:util'
import type { LiveClient } from '../../contracts/client.ts'
import type { DaemonStatus } from '../../contracts/daemon.ts'
import { isTermError } from '../../contracts/errors.ts'
import { explain } from './explain.ts'
import { formatSessions } from './format-sessions.ts'
import { formatReport } from './report.ts'

export interface DaemonClient extends LiveClient {
  status(): Promise<DaemonStatus>
  stop(options: { readonly all: boolean }): Promise<void>
}

export interface CliOptions {
  readonly version: string
  readonly print: (text: string) => void
  readonly complain: (text: string) => void
  /** Errors: `daemon_gone` when none runs and none may be started. */
  readonly connect: (options: { readonly mayStart: boolean }) => Promise<DaemonClient>
  readonly serveMcp: () => Promise<void>
  /** Writes to the terminal this runs in. Errors: without one. */
  readonly tellTerminal: (text: string) => void
  /** Resolves to true when nothing is wrong. */
  readonly doctor: (options: { readonly json: boolean }) => Promise<boolean>
}

/** Stable exit codes. */
const exitCode = { ok: 0, failed: 1, usage: 2, noDaemon: 3 } as const

const help = `agentpty: real terminals for AI agents

  agentpty mcp                serve MCP over stdio (this is what you register with your agent)
  agentpty ls                 list the terminals
  agentpty explain ID         whose turn it is in a terminal, and why (--follow: each time it changes)
  agentpty report STATE       for an agent's hooks: says in its terminal that it is idle, working, blocked, done, error
                              (--message TEXT: what it asks)
  agentpty status             the daemon, its process and its sockets
  agentpty stop [--all]       end the daemon, the terminals go on; --all ends them too
  agentpty doctor             find out what is wrong

  --json                      answers for programs
  --help, --version

Register it, for example:  claude mcp add agentpty -- npx agentpty mcp
AGENTPTY_HOME=DIR keeps everything of one instance in DIR.
`

export async function runCli(argv: readonly string[], options: CliOptions): Promise<number> {
  try {
    return await dispatch(argv, options)
  } catch (error) {
    const hint = isTermError(error) && error.hint !== '' ? `\n${error.hint}` : ''
    options.complain(`agentpty: ${error instanceof Error ? error.message : String(error)}${hint}\n`)
    return isTermError(error) && error.code === 'daemon_gone' ? exitCode.noDaemon : exitCode.failed
  }
}

async function dispatch(argv: readonly string[], options: CliOptions): Promise<number> {
  const parsed = parse(argv)
  if (parsed === null) return misused(argv, options)
  const { flags, command, subject } = parsed
  if (subject !== undefined && command !== 'explain' && command !== 'report') return misused(argv, options)
  if (flags.version) options.print(`${options.version}\n`)
  else if (flags.help || command === 'help' || command === undefined) options.print(help)
  else if (command === 'mcp') await options.serveMcp()
  else if (command === 'ls') await list(options, flags.json)
  else if (command === 'explain' && subject !== undefined) await explainTurn(options, subject, flags)
  else if (command === 'report' && subject !== undefined) options.tellTerminal(formatReport(subject, flags.message))
  else if (command === 'status') await status(options, flags.json)
  else if (command === 'stop') await stop(options, flags)
  else if (command === 'doctor') return (await options.doctor({ json: flags.json })) ? exitCode.ok : exitCode.failed
  else return misused(argv, options)
  return exitCode.ok
}

function parse(argv: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        json: { type: 'boolean', default: false },
        all: { type: 'boolean', default: false },
        message: { type: 'string' },
        follow: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
        version: { type: 'boolean', default: false },
      },
    })
    return positionals.length > 2 ? null : { flags: values, command: positionals[0], subject: positionals[1] }
  } catch {
    // An unknown option: the caller says how it should have been.
    return null
  }
}

function misused(argv: readonly string[], { complain }: CliOptions): number {
  complain(`agentpty: cannot make sense of "${argv.join(' ')}".\nSee: agentpty --help\n`)
  return exitCode.usage
}

async function list({ connect, print }: CliOptions, json: boolean): Promise<void> {
  const client = await connect({ mayStart: true })
  const listed = await client.call('list', {})
  print(json ? `${JSON.stringify(listed)}\n` : formatSessions(listed.terminals))
  await client.close()
}

async function explainTurn(
  { connect, print }: CliOptions,
  terminalId: string,
  { follow, json }: { readonly follow: boolean; readonly json: boolean },
): Promise<void> {
  const client = await connect({ mayStart: true })
  try {
    await explain(client, { terminalId, follow, json, print })
  } finally {
    await client.close()
  }
}

async function status({ connect, print }: CliOptions, json: boolean): Promise<void> {
  const client = await connect({ mayStart: true })
  const told = await client.status()
  await client.close()
  if (json) {
    print(`${JSON.stringify(told)}\n`)
    return
  }
  const { daemon, host, sessions, socket } = told
  print(
    `daemon    running, pid ${daemon.pid}, version ${daemon.version}, since ${daemon.startedAt}\n` +
      `ptyhost   running, pid ${host.pid}\n` +
      `terminals ${sessions.open} open, ${sessions.exited} ended and still readable\n` +
      `clients   ${daemon.clients}\n` +
      `socket    ${socket}\n`,
  )
}

async function stop({ connect, print }: CliOptions, { all, json }: { all: boolean; json: boolean }): Promise<void> {
  // To close what ptyhost still holds, a daemon that can speak to it is needed.
  const client = await connect({ mayStart: all }).catch((error: unknown) => {
    if (isTermError(error) && error.code === 'daemon_gone') return null
    throw error
  })
  await client?.stop({ all })
  const message =
    client === null
      ? 'No daemon was running.'
      : all
        ? 'Everything is closed.'
        : 'The daemon has ended; its terminals go on.'
  print(json ? `${JSON.stringify({ stopped: client !== null, all })}\n` : `${message}\n`)
}
