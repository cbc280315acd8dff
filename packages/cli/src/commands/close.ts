import { TermError } from '@agentpty/protocol'
import { type Command, withClient } from '../command.ts'
import { tellClosed } from './tell-closed.ts'

export const closeTerminals: Command = {
  name: 'close',
  usage: 'ID... | --all',
  summary: 'end terminals and every process in them',
  group: 'terminals',
  words: [0, 1_000],
  completes: 'terminals',
  flags: {
    all: { type: 'boolean', help: 'every terminal there is' },
    force: { type: 'boolean', help: 'also the terminal that this runs in' },
    'leave-daemons': { type: 'boolean', help: 'spare what has detached itself' },
  },
  examples: ['agentpty close build', 'agentpty close --all'],
  run: async ({ options, words, flags, json }) => {
    const isAll = flags['all'] === true
    if (isAll === words.length > 0) throw new TermError('invalid_input', 'Name the terminals, or say --all.', '')
    const result = await withClient(options, async (client) => {
      const ids = isAll ? (await client.call('list', {})).terminals.map(({ terminalId }) => terminalId) : [...words]
      if (ids.length === 0) return { closed: [] }
      return client.call('close', {
        terminalIds: ids,
        leaveDaemons: flags['leave-daemons'] === true,
        force: flags['force'] === true,
      })
    })
    return tellClosed(result, { options, json })
  },
}
