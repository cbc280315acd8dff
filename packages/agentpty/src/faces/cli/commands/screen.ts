import { defined } from '../../../contracts/defined.ts'
import { type Command, exitCode, numberFlag, textFlag, withClient } from '../command.ts'

export const showScreen: Command = {
  name: 'screen',
  usage: 'ID',
  summary: 'print what its screen shows now',
  group: 'terminals',
  words: [1, 1],
  completes: 'terminal',
  flags: {
    format: {
      type: 'string',
      value: 'FORMAT',
      help: 'text (« » around what is highlighted), plain, ansi or html; default text',
      choices: ['text', 'plain', 'ansi', 'html'],
    },
    lines: { type: 'string', value: 'N', help: 'and so many rows of scrollback' },
  },
  examples: ['agentpty screen editor', 'agentpty screen top --format html > top.html'],
  run: async ({ options, words: [terminalId = ''], flags, json }) => {
    const format = textFlag(flags, 'format')
    const shown = await withClient(options, (client) =>
      client.call(
        'screenshot',
        defined({
          terminalId,
          format: format === undefined ? undefined : (format as 'text'),
          lines: numberFlag(flags, 'lines'),
        }),
      ),
    )
    options.print(json ? `${JSON.stringify(shown)}\n` : `${shown.screen}\n`)
    return exitCode.ok
  },
}
