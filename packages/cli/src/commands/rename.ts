import { type Command, exitCode, withClient } from '../command.ts'

export const renameTerminal: Command = {
  name: 'rename',
  usage: 'ID NAME',
  summary: 'give a terminal another name',
  group: 'terminals',
  words: [2, 2],
  completes: 'terminal',
  examples: ['agentpty rename term-3 server'],
  run: async ({ options, words: [terminalId = '', name = ''], json }) => {
    const result = await withClient(options, (client) => client.call('rename', { terminalId, name }))
    if (json) options.print(`${JSON.stringify(result)}\n`)
    return exitCode.ok
  },
}
