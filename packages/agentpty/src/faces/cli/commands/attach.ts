/** `agentpty attach`: sit down at a terminal. */

import type { Client } from '../../../contracts/client.ts'
import { isTermError, TermError } from '../../../contracts/errors.ts'
import { prefixHint, prefixPattern } from '../../../contracts/home/attach-prefix.ts'
import { attach } from '../attach/attachment.ts'
import { watchAll } from '../attach/wall.ts'
import {
  type CliOptions,
  type Command,
  exitCode,
  type FlagValues,
  type Terminal,
  textFlag,
  withClient,
} from '../command.ts'

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
    prefix: { type: 'string', value: 'KEY', help: 'this key for ours instead of that of config.yaml, ctrl+]' },
    'no-status': { type: 'boolean', help: 'nothing but the program’s screen: no line on entry, none below it' },
    fit: { type: 'boolean', help: 'make it as large as your window, for everybody, and keep it so' },
  },
  notes: [
    'ctrl+] d leaves, ctrl+] [ looks back, ctrl+] f fits it to your window, ctrl+] s turns the status line on and off, ctrl+] twice sends that key. attachPrefix in config.yaml is another key.',
    'Looking back: arrows or hjkl, page up and down, g and G move; / searches backwards, n and N go on; space marks, enter or y copies from the mark, or the row, to your clipboard (OSC 52); q or escape goes back.',
    'The status line is below the screen; a screen as high as your window has none after the first key.',
    'Several people may be attached to one terminal. A smaller window shows the part around the cursor.',
    'Without an ID: the only one there is.',
  ],
  examples: ['agentpty attach build', 'agentpty attach agent --read-only'],
  run: async ({ options, words, flags }) => {
    const terminal = ownTerminal(options)
    const prefix = prefixOf(options, flags)
    return withLastingClient(options, async (client, isNewDaemon) => {
      const terminalId = words[0] ?? (await onlyTerminal(client))
      const readOnly = flags['read-only'] === true
      const exit = await attach({
        client,
        terminal,
        print: options.print,
        terminalId,
        readOnly,
        fit: flags['fit'] === true,
        prefix,
        status: flags['no-status'] !== true,
        isNewDaemon,
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
    const { print } = options
    await withLastingClient(options, (client) => watchAll({ client, terminal, print, prefix: prefixOf(options, {}) }))
    return exitCode.ok
  },
}

/** Terminals outlive a daemon: when it dies, one sits down again with the next. */
export async function withLastingClient<Result>(
  options: CliOptions,
  use: (client: Client, isNewDaemon: boolean) => Promise<Result>,
): Promise<Result> {
  for (let left = reconnectsMax; ; left--) {
    try {
      return await withClient(options, (client) => use(client, left < reconnectsMax))
    } catch (error) {
      if (left === 0 || !isTermError(error) || error.code !== 'daemon_gone') throw error
    }
  }
}

/** Errors: `invalid_input` for a key that cannot be one. */
function prefixOf({ explainConfig }: CliOptions, flags: FlagValues): string {
  const set = explainConfig().find(({ key }) => key === 'attachPrefix')?.value
  const name = textFlag(flags, 'prefix') ?? String(set)
  if (prefixPattern.test(name)) return name
  throw new TermError('invalid_input', `"${name}" can be no prefix.`, prefixHint)
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

async function onlyTerminal(client: Client): Promise<string> {
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
