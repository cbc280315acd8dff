import type { Client } from '@agentpty/protocol'
import { invalidInput } from '@agentpty/protocol'
import { attach } from '../attach/attachment.ts'
import { watchAll } from '../attach/wall.ts'
import { prefixOf, requireTerminal, withLastingClient } from '../attach/window.ts'
import { type Command, exitCode } from '../command.ts'

export const attachTerminal: Command = {
  name: 'attach',
  usage: '[ID]',
  summary: 'use a terminal yourself: see its screen and type; leaving keeps it running',
  group: 'people',
  words: [0, 1],
  completes: 'terminal',
  flags: {
    'read-only': { type: 'boolean', short: 'r', help: 'look without typing; q leaves' },
    prefix: {
      type: 'string',
      value: 'KEY',
      help: 'the key before agentpty’s own keys; default: attachPrefix of config.yaml, or ctrl+]',
    },
    'no-status': { type: 'boolean', help: 'show only the program’s screen, without a status line' },
    fit: { type: 'boolean', help: 'resize the terminal to your window, for everyone, and keep it fitted' },
    'no-mouse': { type: 'boolean', help: 'leave the mouse to your own terminal, which selects text with it' },
  },
  notes: [
    'Keys: ctrl+] d leaves; ctrl+] t takes the terminal over and gives it back; ctrl+] [ scrolls back; ctrl+] f fits it to your window; ctrl+] s switches the status line; ctrl+] m the mouse; ctrl+] ctrl+] types ctrl+].',
    'While scrolling back: arrows or hjkl, page up and down, g and G move; / searches backwards, n and N repeat; space marks; enter or y copies to your clipboard (OSC 52); q or escape returns.',
    'Mouse: a program that uses it gets it. Otherwise the wheel scrolls back, and further down than the end returns. With shift, most terminals select text.',
    'The status line is below the screen. If the screen is as high as your window, the first key removes the line.',
    'While you have taken a terminal over, calls of agents that type are refused and say so. Agents learn what you did when you give it back, leave, or lose the connection for 45 s.',
    'Several people can attach to one terminal. A window smaller than the terminal shows the part around the cursor.',
    'Without an ID: the only terminal.',
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
        mouse: flags['no-mouse'] !== true,
        onInterrupt: options.onInterrupt,
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
  summary: 'show all terminals live on one screen, and choose one to use',
  group: 'people',
  words: [0, 0],
  notes: ['Keys: arrows or tab choose, enter or a click attaches, q leaves. Watching changes nothing.'],
  examples: ['agentpty watch'],
  run: async ({ options }) => {
    const terminal = requireTerminal(options)
    const { clock, print, onInterrupt } = options
    const prefix = await prefixOf(options, {})
    await withLastingClient(options, (client) => watchAll({ client, clock, terminal, print, prefix, onInterrupt }))
    return exitCode.ok
  },
}
