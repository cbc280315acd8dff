import type { Client } from '@agentpty/protocol'
import { invalidInput } from '@agentpty/protocol'
import { attach } from '../attach/attachment.ts'
import { watchAll } from '../attach/wall.ts'
import { prefixOf, requireTerminal, withLastingClient } from '../attach/window.ts'
import { type Command, exitCode } from '../command.ts'

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
    'ctrl+] d leaves, ctrl+] t takes the terminal over and gives it back, ctrl+] [ looks back, ctrl+] f fits it to your window, ctrl+] s turns the status line on and off, ctrl+] twice sends that key. attachPrefix in config.yaml is another key.',
    'Looking back: arrows or hjkl, page up and down, g and G move; / searches backwards, n and N go on; space marks, enter or y copies from the mark, or the row, to your clipboard (OSC 52); q or escape goes back.',
    'The status line is below the screen; a screen as high as your window has none after the first key.',
    'While you have it, agents cannot type: their calls say so. They learn what you did when you give it back, leave, or have been gone for 45 s.',
    'Several people may be attached to one terminal. A smaller window shows the part around the cursor.',
    'Without an ID: the only one there is.',
  ],
  examples: ['agentpty attach build', 'agentpty attach agent --read-only'],
  run: async ({ options, words, flags }) => {
    const terminal = requireTerminal(options)
    const prefix = await prefixOf(options, flags)
    return withLastingClient(options, async (client, isNewDaemon) => {
      const terminalId = words[0] ?? (await onlyTerminal(client))
      const readOnly = flags['read-only'] === true
      const exit = await attach({
        client,
        clock: options.clock,
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

async function onlyTerminal(client: Client): Promise<string> {
  const { terminals } = await client.call('list', {})
  const open = terminals.filter(({ isActive }) => isActive)
  const [only] = open
  if (only !== undefined && open.length === 1) return only.terminalId
  const names = open.map(({ terminalId, name }) => name ?? terminalId).join(', ')
  throw invalidInput(
    open.length === 0 ? 'No terminal is open.' : 'Which terminal?',
    open.length === 0 ? 'Open one with: agentpty new' : `Open: ${names}`,
  )
}

export const watchTerminals: Command = {
  name: 'watch',
  usage: '',
  summary: 'all terminals live on one screen; choose one to sit down at',
  group: 'people',
  words: [0, 0],
  notes: ['Arrow keys or tab choose, enter sits down, q leaves. Watching changes nothing.'],
  run: async ({ options }) => {
    const terminal = requireTerminal(options)
    const { clock, print } = options
    const prefix = await prefixOf(options, {})
    await withLastingClient(options, (client) => watchAll({ client, clock, terminal, print, prefix }))
    return exitCode.ok
  },
}
