import { type Command, exitCode, textFlag } from '../command.ts'
import { formatReport } from '../observation.ts'

export const reportState: Command = {
  name: 'report',
  usage: 'STATE',
  summary: 'for an agent’s hooks: says in its terminal that it is idle, working, blocked, done or in error',
  group: 'clients',
  words: [1, 1],
  flags: { message: { type: 'string', short: 'm', value: 'TEXT', help: 'what it asks' } },
  examples: ['agentpty report blocked --message "Run ls?"'],
  run: async ({ options, words: [state = ''], flags }) => {
    options.writeToTerminal(formatReport(state, textFlag(flags, 'message')))
    return exitCode.ok
  },
}
