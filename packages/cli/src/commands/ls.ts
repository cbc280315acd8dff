import { type Command, exitCode, withClient } from '../command.ts'
import { formatSessions } from '../format-sessions.ts'
import { readStates } from '../terminal-states.ts'

export const listTerminals: Command = {
  name: 'ls',
  usage: '',
  summary: 'list the terminals and whose turn it is in them',
  group: 'terminals',
  words: [0, 0],
  run: async ({ options, json }) => {
    const text = await withClient(options, async (client) => {
      if (json) return `${JSON.stringify(await client.call('list', {}))}\n`
      const { terminals, states } = await readStates(client)
      return formatSessions(terminals, states)
    })
    options.print(text)
    return exitCode.ok
  },
}
