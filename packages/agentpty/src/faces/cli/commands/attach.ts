/** `agentpty attach`: sit down at a terminal. */

import { isTermError, TermError } from '../../../contracts/errors.ts'
import { attach } from '../attach/attachment.ts'
import { prefixName } from '../attach/prefix-keys.ts'
import { watchAll } from '../attach/wall.ts'
import { type CliOptions, type Command, type DaemonClient, exitCode, type Terminal, withClient } from '../command.ts'

/** A daemon that dies at once, again and again, is not waited for. */
const reconnectsMax = 20

export const attachTerminal: Command = {
  name: 'attach',
  usage: '[ID]',
  summary: 'sit down at a terminal: see its screen, type into it, leave it running',
  group: 'people',
  words: [0, 1],
  completes: 'terminal',
  flags: {
    'read-only': { type: 'boolean', short: 'r', help: 'only look; ctrl+c leaves' },
    fit: { type: 'boolean', help: 'make it as large as your window, for everybody, and keep it so' },
  },
  notes: [
    `${prefixName} d leaves, ${prefixName} f fits it to your window, ${prefixName} twice sends that key.`,
    'Several people may be attached to one terminal. A smaller window shows the part around the cursor.',
    'Without an ID: the only one there is.',
  ],
  examples: ['agentpty attach build', 'agentpty attach agent --read-only'],
  run: async ({ options, words, flags }) => {
    const terminal = ownTerminal(options)
    return withLastingClient(options, async (client) => {
      const terminalId = words[0] ?? (await onlyTerminal(client))
      const readOnly = flags['read-only'] === true
      const exit = await attach({
        client,
        terminal,
        print: options.print,
        terminalId,
        readOnly,
        fit: flags['fit'] === true,
      })
      const how =
        exit === null
          ? `left ${terminalId}, which goes on`
          : `${terminalId} has ended (${exit.signal ?? `exit code ${exit.code}`})`
      options.print(`[agentpty: ${how}]\n`)
      return exit === null ? exitCode.ok : exitCode.exited
    })
  },
}

export const watchTerminals: Command = {
  name: 'watch',
  usage: '',
  summary: 'all terminals live on one screen; choose one to sit down at',
  group: 'people',
  words: [0, 0],
  notes: ['Arrow keys or tab choose, enter sits down, q leaves. Watching changes nothing.'],
  run: async ({ options }) => {
    const terminal = ownTerminal(options)
    const { print, later } = options
    await withLastingClient(options, (client) => watchAll({ client, terminal, print, later }))
    return exitCode.ok
  },
}

/** Terminals outlive a daemon: when it dies, one sits down again with the next. */
export async function withLastingClient<Result>(
  options: CliOptions,
  use: (client: DaemonClient) => Promise<Result>,
): Promise<Result> {
  for (let left = reconnectsMax; ; left--) {
    try {
      return await withClient(options, use)
    } catch (error) {
      if (left === 0 || !isTermError(error) || error.code !== 'daemon_gone') throw error
    }
  }
}

/** Errors: `invalid_input` in a pipe. */
export function ownTerminal({ terminal }: CliOptions): Terminal {
  if (terminal !== null) return terminal
  throw new TermError(
    'invalid_input',
    'This needs a terminal to show it in.',
    'In a pipe use: agentpty read, or agentpty screen',
  )
}

async function onlyTerminal(client: DaemonClient): Promise<string> {
  const { terminals } = await client.call('list', {})
  const open = terminals.filter(({ isActive }) => isActive)
  const [only] = open
  if (only !== undefined && open.length === 1) return only.terminalId
  const names = open.map(({ terminalId, name }) => name ?? terminalId).join(', ')
  throw new TermError(
    'invalid_input',
    open.length === 0 ? 'No terminal is open.' : 'Which terminal?',
    open.length === 0 ? 'Open one with: agentpty new' : `Open: ${names}`,
  )
}
