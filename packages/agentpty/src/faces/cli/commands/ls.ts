import { type Command, exitCode, withClient } from '../command.ts'
import { formatSessions } from '../format-sessions.ts'

export const listTerminals: Command = {
  name: 'ls',
  usage: '',
  summary: 'list the terminals and whose turn it is in them',
  group: 'terminals',
  words: [0, 0],
  run: async ({ options, json }) => {
    const listed = await withClient(options, (client) => client.call('list', {}))
    options.print(json ? `${JSON.stringify(listed)}\n` : formatSessions(listed.terminals))
    return exitCode.ok
  },
}
