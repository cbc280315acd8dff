import { defined } from '../../../contracts/defined.ts'
import { outputBytesMax } from '../../../contracts/limits.ts'
import { type Command, exitCode, numberFlag, textFlag, textsFlag, withClient } from '../command.ts'
import { printObservation } from '../observation.ts'
import { parseWaitFor, waitForChoices, waitForHelp } from '../wait-words.ts'

export const readOutput: Command = {
  name: 'read',
  usage: 'ID',
  summary: 'print its output, all that is kept or from an offset on',
  group: 'terminals',
  words: [1, 1],
  completes: 'terminal',
  flags: {
    since: { type: 'string', value: 'OFFSET', help: 'from this cursor on' },
    follow: { type: 'boolean', short: 'f', help: 'and go on with all that comes, as it comes, until the program ends' },
    find: { type: 'string', value: 'REGEX', help: 'only lines that match' },
    context: { type: 'string', value: 'N', help: 'lines around a match' },
    raw: { type: 'boolean', help: 'bytes with escape sequences' },
    'max-bytes': { type: 'string', value: 'N', help: 'head and tail of so much; default 1 MiB' },
    wait: {
      type: 'string',
      short: 'w',
      multiple: true,
      value: 'CONDITION',
      help: 'first wait for this',
      choices: waitForChoices,
    },
    timeout: { type: 'string', value: 'MS', help: 'at most so long; default 30000' },
  },
  notes: [waitForHelp],
  examples: ['agentpty read build --find "error|warning" --context 2', 'agentpty read server --follow'],
  run: async (call) => {
    const { options, words, flags } = call
    const [terminalId = ''] = words
    const since = numberFlag(flags, 'since')
    if (flags['follow'] === true) return followOutput(call.options, terminalId, since ?? 0)
    const result = await withClient(options, (client) =>
      client.call(
        'read',
        defined({
          terminalId,
          since,
          find: textFlag(flags, 'find'),
          contextLines: numberFlag(flags, 'context'),
          raw: flags['raw'] === true ? true : undefined,
          maxBytes: numberFlag(flags, 'max-bytes') ?? outputBytesMax,
          waitFor: parseWaitFor(textsFlag(flags, 'wait')),
          waitTimeoutMs: numberFlag(flags, 'timeout'),
        }),
      ),
    )
    return printObservation(call, result)
  },
}

async function followOutput(
  options: Parameters<typeof withClient>[0],
  terminalId: string,
  since: number,
): Promise<number> {
  return withClient(options, async (client) => {
    for await (const event of client.follow(terminalId, { output: { since } })) {
      if (event.type !== 'output') continue
      if (event.missedBytes > 0) options.complain(`agentpty: ${event.missedBytes} bytes are gone.\n`)
      await options.print(event.bytes)
    }
    return exitCode.ok
  })
}
