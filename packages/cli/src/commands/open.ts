/** `agentpty open`: the page in a browser, which is signed in by that. */

import { invalidInput } from '@agentpty/protocol'
import { type Command, type CommandCall, durationFlag, exitCode, textFlag, withClient } from '../command.ts'

export const openPage: Command = {
  name: 'open',
  usage: '',
  summary: 'open the page with all terminals in your browser',
  group: 'start',
  words: [0, 0],
  flags: {
    print: { type: 'boolean', help: 'print the address and start no browser' },
    'read-only': { type: 'boolean', help: 'the visitor may look but change nothing' },
    terminal: { type: 'string', value: 'ID', help: 'with --read-only: only this terminal' },
    for: {
      type: 'string',
      value: 'TIME',
      help: 'how long the access lasts: 30m, 2h, 7d; default with --read-only: 2h',
    },
  },
  notes: [
    'The address contains a code that works once, within a minute. The browser then creates its own key and needs no code again.',
    'The page is served on 127.0.0.1 only. From another machine: ssh -L 17580:127.0.0.1:17580 HOST agentpty open --print',
    'To list browsers and sign them out: agentpty devices',
  ],
  examples: ['agentpty open', 'agentpty open --print', 'agentpty open --read-only --terminal term-1 --for 30m --print'],
  run: (call) => open(call),
}

async function open({ options, flags, json }: CommandCall): Promise<number> {
  const onlyTerminal = textFlag(flags, 'terminal')
  const readOnly = flags['read-only'] === true
  if (onlyTerminal !== undefined && !readOnly)
    throw invalidInput('open: --terminal is for --read-only.', 'Add --read-only, or leave it out.')
  const forMs = durationFlag(flags, 'for')
  const wanted = { readOnly, withFile: flags['print'] !== true, onlyTerminal, forMs }
  const invited = await withClient(options, (client) => client.call('openPage', wanted), { isPerson: true })
  const { url, file, expiresAt } = invited
  const isOpened = file !== undefined && (await options.openBrowser(file))
  if (json) await options.print(`${JSON.stringify({ url, expiresAt, isOpened })}\n`)
  else if (isOpened) await options.print('Opened in your browser. If nothing shows: agentpty open --print\n')
  else if (file === undefined) await options.print(`${url}\n`)
  else await options.print(`No browser can be started here. Open this within a minute:\n${url}\n`)
  return exitCode.ok
}
