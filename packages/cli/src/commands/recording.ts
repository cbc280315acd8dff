import { defined } from '@agentpty/protocol'
import { type Command, exitCode, numberFlag, withClient } from '../command.ts'
import { complainOfGaps } from '../observation.ts'

export const printRecording: Command = {
  name: 'recording',
  usage: 'ID',
  summary: 'print its kept output with its times, as an asciicast to be played again',
  group: 'terminals',
  words: [1, 1],
  completes: 'terminal',
  flags: {
    since: { type: 'string', value: 'OFFSET', help: 'begin at this offset' },
    v3: { type: 'boolean', help: 'as asciicast version 3, with a marker for each command' },
  },
  examples: ['agentpty recording build > build.cast && asciinema play build.cast'],
  run: async ({ options, words: [terminalId = ''], flags, json }) => {
    const version = flags['v3'] === true ? (3 as const) : undefined
    const since = numberFlag(flags, 'since')
    const input = defined({ terminalId, since, version })
    const recorded = await withClient(options, (client) => client.call('recording', input))
    if (recorded.timesUnknownTo !== undefined && !json)
      options.complain('agentpty: The times of the oldest output were not kept. It has the time of the beginning.\n')
    const { missedBytes, invalidBytes } = recorded
    if (!json) complainOfGaps(options, { missedBytes: since === undefined ? missedBytes : undefined, invalidBytes })
    options.print(json ? `${JSON.stringify(recorded)}\n` : recorded.recording)
    return exitCode.ok
  },
}
