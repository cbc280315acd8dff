import { TermError } from '@agentpty/protocol'
import { type Command, exitCode, withClient } from '../command.ts'
import { parseSize } from '../parse-size.ts'

export const resizeTerminal: Command = {
  name: 'resize',
  usage: 'ID COLSxROWS',
  summary: 'change the size of its screen, for everybody',
  group: 'terminals',
  words: [2, 2],
  completes: 'terminal',
  examples: ['agentpty resize term-3 120x40'],
  run: async ({ options, words: [terminalId = '', size], json }) => {
    const { cols, rows } = parseSize(size)
    if (cols === undefined || rows === undefined)
      throw new TermError('invalid_input', 'Which size?', 'For example: 120x40')
    const result = await withClient(options, (client) => client.call('resize', { terminalId, cols, rows }))
    if (json) options.print(`${JSON.stringify(result)}\n`)
    return exitCode.ok
  },
}
