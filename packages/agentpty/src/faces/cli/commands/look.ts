/** `agentpty ls`, `read`, `screen`, `wait`: what there is, what it printed, what it shows, when it is done. */

import type { Client } from '../../../contracts/client.ts'
import { outputBytesMax, waitMsMax } from '../../../contracts/limits.ts'
import { type Command, exitCode, numberFlag, textFlag, textsFlag, withClient } from '../command.ts'
import { formatSessions } from '../format-sessions.ts'
import { parseWaitFor, waitForChoices, waitForHelp } from '../wait-words.ts'
import { optional } from './open.ts'
import { printObservation } from './type.ts'

export const listTerminals: Command = {
  name: 'ls',
  usage: '',
  summary: 'list the terminals and whose turn it is in them',
  group: 'terminals',
  words: [0, 0],
  run: async ({ options, json }) => {
    const listed = await withClient(options, (client) => client.call('list', {}))
    options.print(json ? `${JSON.stringify(listed)}\n` : formatSessions(listed.terminals))
    return exitCode.ok
  },
}

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
      client.call('read', {
        terminalId,
        ...optional('since', since),
        ...optional('find', textFlag(flags, 'find')),
        ...optional('contextLines', numberFlag(flags, 'context')),
        ...(flags['raw'] === true ? { raw: true } : {}),
        maxBytes: numberFlag(flags, 'max-bytes') ?? outputBytesMax,
        ...optional('waitFor', parseWaitFor(textsFlag(flags, 'wait'))),
        ...optional('waitTimeoutMs', numberFlag(flags, 'timeout')),
      }),
    )
    return printObservation(call, result)
  },
}

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
      client.call('screenshot', {
        terminalId,
        ...(format === undefined ? {} : { format: format as 'text' }),
        ...optional('lines', numberFlag(flags, 'lines')),
      }),
    )
    options.print(json ? `${JSON.stringify(shown)}\n` : `${shown.screen}\n`)
    return exitCode.ok
  },
}

export const waitForTerminals: Command = {
  name: 'wait',
  usage: 'ID...',
  summary: 'wait until it is your turn in one of them, or for something else',
  group: 'terminals',
  words: [1, 64],
  completes: 'terminals',
  flags: {
    for: {
      type: 'string',
      short: 'w',
      multiple: true,
      value: 'CONDITION',
      help: 'default ready',
      choices: waitForChoices,
    },
    each: { type: 'boolean', help: 'until it holds in each' },
    timeout: { type: 'string', value: 'MS', help: 'at most so long; default: as long as it takes' },
  },
  notes: [
    waitForHelp,
    'text and pattern also hold when they stand in what is kept already; the others count from now on.',
    'Exit codes: 0 it holds, 4 not in time, 5 the program ended first.',
  ],
  examples: ['agentpty wait build', 'agentpty wait server --for "text:Listening on" --timeout 60000'],
  run: async ({ options, words, flags, json }) => {
    const wanted = textsFlag(flags, 'for')
    const waitFor = parseWaitFor(wanted)
    const patience = new Patience(options.now, numberFlag(flags, 'timeout'))
    const { terminals } = await withClient(options, async (client) => {
      const since = wanted.some((word) => /^(?:text|pattern):/.test(word))
        ? words.map(() => 0)
        : await cursors(client, words)
      const input = { terminalIds: [...words], since, any: flags['each'] !== true, ...optional('waitFor', waitFor) }
      for (;;) {
        const answer = await client.call('wait', { ...input, waitTimeoutMs: patience.nextMs() })
        if (patience.isOver || !answer.terminals.some(({ outcome }) => outcome === 'timeout')) return answer
      }
    })
    if (json) options.print(`${JSON.stringify({ terminals })}\n`)
    else for (const one of terminals) options.print(`${one.terminalId}  ${one.outcome ?? one.state}\n`)
    const outcomes = terminals.map(({ outcome }) => outcome)
    if (outcomes.includes('timeout')) return exitCode.timeout
    return outcomes.includes('exited') ? exitCode.exited : exitCode.ok
  },
}

/** One call lasts only so long; a wait may take several. */
class Patience {
  readonly #now: () => number
  readonly #deadline: number

  constructor(now: () => number, timeoutMs: number | undefined) {
    this.#now = now
    this.#deadline = now() + (timeoutMs ?? Number.POSITIVE_INFINITY)
  }

  get isOver(): boolean {
    return this.#now() >= this.#deadline
  }

  nextMs(): number {
    return Math.ceil(Math.max(0, Math.min(waitMsMax, this.#deadline - this.#now())))
  }
}

/** Where each terminal's output ends now. Unknown ones are left to the wait to complain about. */
async function cursors(client: Client, names: readonly string[]): Promise<number[]> {
  const { terminals } = await client.call('list', {})
  return names.map((name) => terminals.find((one) => one.terminalId === name || one.name === name)?.cursor ?? 0)
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
