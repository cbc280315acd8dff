import { defined } from '@agentpty/protocol'
import { type Command, withClient } from '../command.ts'
import { printObservation, waitFlags, waitForHelp, waiting } from '../observation.ts'

export const sendText: Command = {
  name: 'send',
  usage: 'ID TEXT... | ID -',
  summary: 'type text and Enter; print the output once the program waits again',
  group: 'terminals',
  words: [2, Number.POSITIVE_INFINITY],
  completes: 'terminal',
  flags: {
    'no-enter': { type: 'boolean', help: 'type no Enter' },
    instruct: {
      type: 'boolean',
      help: 'the text is a task for an agent: type it only while the agent is idle, never into a dialog',
    },
    ...waitFlags,
  },
  notes: ['`-` reads the text from standard input; its last line break is the Enter.', waitForHelp],
  examples: ['agentpty send build make test', 'git diff | agentpty send agent --instruct -'],
  run: async (call) => {
    const { options, words, flags } = call
    const [terminalId = '', ...rest] = words
    const text = rest.length === 1 && rest[0] === '-' ? (await options.readInput()).replace(/\n$/, '') : rest.join(' ')
    const result = await withClient(options, (client) =>
      client.call(
        'send',
        defined({
          terminalId,
          text,
          newline: flags['no-enter'] !== true,
          instruct: flags['instruct'] === true ? true : undefined,
          ...waiting(call),
        }),
      ),
    )
    return printObservation(call, result)
  },
}

export const pressKeys: Command = {
  name: 'keys',
  usage: 'ID KEY...',
  summary: 'press keys; print the output once the program waits again',
  group: 'terminals',
  words: [2, 300],
  completes: 'terminal',
  flags: waitFlags,
  notes: [
    'Names of keys: ctrl+c, alt+x, up, enter, escape, tab, f5, pagedown. A single character is its own name.',
    waitForHelp,
  ],
  examples: ['agentpty keys term-3 ctrl+c', 'agentpty keys editor escape : w q enter'],
  run: async (call) => {
    const [terminalId = '', ...keys] = call.words
    const result = await withClient(call.options, (client) =>
      client.call('sendKeys', { terminalId, keys, ...waiting(call) }),
    )
    return printObservation(call, result)
  },
}
