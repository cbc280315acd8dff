import { type Command, exitCode, withClient } from '../command.ts'

export const printRecording: Command = {
  name: 'recording',
  usage: 'ID',
  summary: 'print its kept output with its times, as an asciicast to be played again',
  group: 'terminals',
  words: [1, 1],
  completes: 'terminal',
  examples: ['agentpty recording build > build.cast && asciinema play build.cast'],
  run: async ({ options, words: [terminalId = ''], json }) => {
    const recorded = await withClient(options, (client) => client.call('recording', { terminalId }))
    options.print(json ? `${JSON.stringify(recorded)}\n` : recorded.recording)
    return exitCode.ok
  },
}
