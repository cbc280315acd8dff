import { invalidInput } from '@agentpty/protocol'
import { leaseMsMax } from '@agentpty/protocol/session'
import { type Command, printResult, textFlag, withClient } from '../command.ts'
import { durationMs } from '../parse-values.ts'

export const takeTerminal: Command = {
  name: 'take',
  usage: 'ID',
  summary: 'take a terminal over: agents cannot type there until you give it back',
  group: 'people',
  words: [1, 1],
  completes: 'terminal',
  flags: {
    for: { type: 'string', value: 'TIME', help: 'give it back by itself after this time; 5m unless you say otherwise' },
    reason: { type: 'string', value: 'TEXT', help: 'shown to agents that want to type' },
  },
  notes: [
    'Nothing that agents have sent reaches the program any more, and a line that they have begun is taken back. Take it again to have it longer.',
    'In agentpty attach: ctrl+] t takes it over and gives it back.',
  ],
  examples: ['agentpty take term-3 --for 20m --reason "merging by hand"', 'agentpty release term-3'],
  run: async ({ options, words: [terminalId = ''], flags, json }) => {
    const forMs = timeIn(textFlag(flags, 'for'))
    const input = { terminalId, ...forMs, reason: textFlag(flags, 'reason') }
    const taken = await withClient(options, (client) => client.call('take', input), { mayStart: false, isPerson: true })
    const { lease, droppedBytes, removed, leftover } = taken
    const seconds = Math.round(((lease.endsAt ?? 0) - options.clock.wall()) / 1000)
    const lines = [
      `${terminalId} is yours for ${seconds} s: agentpty attach ${terminalId}; back: agentpty release ${terminalId}\n`,
      droppedBytes > 0 ? `${droppedBytes} bytes that agents had sent were dropped.\n` : '',
      removed === undefined ? '' : `Taken back of an agent’s line: ${JSON.stringify(removed)}\n`,
      leftover === undefined
        ? ''
        : `An agent has typed this and not entered it; it may still be there: ${JSON.stringify(leftover)}\n`,
    ]
    return printResult({ options, json }, taken, lines.join(''))
  },
}

/** Errors: `invalid_input`. */
function timeIn(text: string | undefined): { readonly forMs?: number } {
  if (text === undefined) return {}
  const forMs = durationMs(text)
  if (forMs !== null && forMs >= 1_000 && forMs <= leaseMsMax) return { forMs }
  throw invalidInput(`"${text}" is no time.`, 'For example: --for 20m, at most 24h')
}

export const releaseTerminal: Command = {
  name: 'release',
  usage: 'ID',
  summary: 'give a terminal back that you have taken over',
  group: 'people',
  words: [1, 1],
  completes: 'terminal',
  flags: {
    'agents-only': { type: 'boolean', help: 'persons type there only after they have taken it over again' },
  },
  notes: ['Agents that wait for it go on, and the next result of any tells it which commands ran meanwhile.'],
  examples: ['agentpty release term-3'],
  run: async ({ options, words: [terminalId = ''], flags, json }) => {
    const mayType = flags['agents-only'] === true ? ('agent' as const) : ('both' as const)
    const input = { terminalId, mayType }
    const released = await withClient(options, (client) => client.call('release', input), {
      mayStart: false,
      isPerson: true,
    })
    const who = mayType === 'both' ? 'agents and persons may type' : 'agents may type'
    return printResult({ options, json }, released, `${terminalId}: ${who}\n`)
  },
}
