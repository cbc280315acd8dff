import { type Command, exitCode, withClient } from '../command.ts'

export const releaseTerminal: Command = {
  name: 'release',
  usage: 'ID',
  summary: 'give a terminal back that you have taken over',
  group: 'people',
  words: [1, 1],
  completes: 'terminal',
  flags: {
    'agents-only': { type: 'boolean', help: 'persons type there only after they have taken it over again' },
    json: { type: 'boolean', help: 'print the lease as JSON' },
  },
  notes: ['Agents that wait for it go on, and the next result of any tells it which commands ran meanwhile.'],
  examples: ['agentpty release term-3'],
  run: async ({ options, words, flags }) => {
    const [terminalId = ''] = words
    const mayType = flags['agents-only'] === true ? ('agent' as const) : ('both' as const)
    const input = { terminalId, mayType }
    const released = await withClient(options, (client) => client.call('release', input), {
      mayStart: false,
      isPerson: true,
    })
    if (flags['json'] === true) await options.print(`${JSON.stringify(released)}\n`)
    else
      await options.print(`${terminalId}: ${mayType === 'both' ? 'agents and persons may type' : 'agents may type'}\n`)
    return exitCode.ok
  },
}
