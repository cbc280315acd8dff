import { type Client, defined, outputBytesMax } from '@agentpty/protocol'
import { type CountedOutput, joinOutput } from '@agentpty/protocol/call'
import { type CliOptions, type Command, exitCode, numberFlag, textFlag, textsFlag, withClient } from '../command.ts'
import { conditionFlag, parseWaitFor, printObservation, waitForHelp } from '../observation.ts'
import { untilLeft } from '../until-left.ts'

export const readOutput: Command = {
  name: 'read',
  usage: 'ID',
  summary: 'print the output of a terminal',
  group: 'terminals',
  words: [1, 1],
  completes: 'terminal',
  flags: {
    since: { type: 'string', value: 'OFFSET', help: 'begin at this byte offset' },
    follow: {
      type: 'boolean',
      short: 'f',
      help: 'then print new output as it appears, until the program ends; q leaves',
    },
    find: { type: 'string', value: 'REGEX', help: 'print only lines that match' },
    context: { type: 'string', value: 'N', help: 'print N lines around each match' },
    raw: { type: 'boolean', help: 'print the bytes with escape sequences' },
    'max-bytes': {
      type: 'string',
      value: 'N',
      help: 'print the beginning and the end, N bytes in all; default 1 MiB, and everything in a pipe',
    },
    wait: conditionFlag('wait for this condition first'),
    timeout: { type: 'string', value: 'MS', help: 'the longest wait; default 30000' },
  },
  notes: [waitForHelp],
  examples: ['agentpty read build --find "error|warning" --context 2', 'agentpty read server --follow'],
  run: async (call) => {
    const { options, words, flags, json } = call
    const [terminalId = ''] = words
    const since = numberFlag(flags, 'since')
    if (flags['follow'] === true) return followOutput(call.options, terminalId, since ?? 0)
    const find = textFlag(flags, 'find')
    const maxBytes = numberFlag(flags, 'max-bytes')
    const raw = flags['raw'] === true
    return withClient(options, async (client) => {
      const result = await client.call(
        'read',
        defined({
          terminalId,
          since,
          find,
          contextLines: numberFlag(flags, 'context'),
          raw: raw ? true : undefined,
          maxBytes: maxBytes ?? outputBytesMax,
          waitFor: parseWaitFor(textsFlag(flags, 'wait')),
          waitTimeoutMs: numberFlag(flags, 'timeout'),
        }),
      )
      const isPiped = options.terminal === null && !json
      if (!isPiped || find !== undefined || maxBytes !== undefined) return printObservation(call, result)
      const more = await printAll(options, client, {
        terminalId,
        since: since ?? 0,
        end: result.cursor,
        raw,
        first: result.output,
      })
      return printObservation(call, { ...result, ...joinOutput(result, more), output: '' })
    })
  },
}

interface Whole {
  readonly terminalId: string
  readonly since: number
  /** The end of what is printed; with `raw` the end of the first piece. */
  readonly end: number
  readonly raw: boolean
  /** The output from `since` on, as far as one answer holds it. */
  readonly first: string
}

/** A slice whose text fits one answer. */
const sliceBytes = outputBytesMax / 4

/** Prints output of any length, slice by slice. Returns the counts of raw slices after the first. */
async function printAll(
  options: CliOptions,
  client: Client,
  { terminalId, since, end, raw, first }: Whole,
): Promise<CountedOutput> {
  let counted: CountedOutput = { output: '' }
  if (raw) {
    let output = first
    let next = end
    while (output !== '') {
      await options.print(output)
      const more = await client.call('read', { terminalId, since: next, raw: true, maxBytes: outputBytesMax })
      counted = joinOutput(counted, { ...more, output: '' })
      ;[output, next] = [more.output, more.cursor]
    }
    return counted
  }
  if (end - since <= sliceBytes) {
    await options.print(first === '' || first.endsWith('\n') ? first : `${first}\n`)
    return counted
  }
  for (let from = since; from < end; ) {
    const slice = await client.call('read', { terminalId, since: from, until: end, raw: true, maxBytes: sliceBytes })
    const { cursor, missedBytes = 0, output: bytes } = slice
    // A line that is cut belongs to the next slice. Where bytes were masked or are no characters, offsets do not follow from the text.
    const kept = bytes.slice(0, bytes.lastIndexOf('\n') + 1)
    const isExact = from + missedBytes + Buffer.byteLength(bytes) === cursor
    const until = cursor < end && kept !== '' && isExact ? cursor - Buffer.byteLength(bytes.slice(kept.length)) : cursor
    const { output } = await client.call('read', { terminalId, since: from, until, maxBytes: outputBytesMax })
    if (output !== '') await options.print(output.endsWith('\n') ? output : `${output}\n`)
    if (until <= from) break
    from = until
  }
  return counted
}

async function followOutput(
  options: Parameters<typeof withClient>[0],
  terminalId: string,
  since: number,
): Promise<number> {
  return withClient(options, async (client) => {
    const left = new AbortController()
    const stop = untilLeft(options, () => left.abort())
    for await (const event of client.follow(terminalId, { output: { since }, signal: left.signal })) {
      if (left.signal.aborted) break
      if (event.type !== 'output') continue
      if (event.missedBytes > 0) options.complain(`agentpty: ${event.missedBytes} bytes are gone.\n`)
      await options.print(event.bytes)
    }
    stop()
    return exitCode.ok
  })
}
