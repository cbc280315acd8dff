import { type Command, withClient } from '../command.ts'
import { printObservation, waitFlags, waiting } from '../observation.ts'
import { waitForHelp } from '../wait-words.ts'

export const pressKeys: Command = {
  name: 'keys',
  usage: 'ID KEY...',
  summary: 'press keys, print what comes of it',
  group: 'terminals',
  words: [2, 300],
  completes: 'terminal',
  flags: waitFlags,
  notes: [
    'Keys are named like ctrl+c, alt+x, up, enter, escape, tab, f5, pagedown; one character is itself.',
    waitForHelp,
  ],
  examples: ['agentpty keys term-3 ctrl+c', 'agentpty keys editor escape : w q enter'],
  run: async (call) => {
    const [terminalId = '', ...keys] = call.words
    const result = await withClient(call.options, (client) =>
      client.call('sendKeys', { terminalId, keys, ...waiting(call) }),
    )
    return printObservation(call, result)
  },
}
