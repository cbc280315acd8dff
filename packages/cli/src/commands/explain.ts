import { type Command, exitCode, withClient } from '../command.ts'
import { explain } from '../explain.ts'

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
