import { invalidInput } from '@agentpty/protocol'
import { leaseMsMax } from '@agentpty/protocol/session'
import { type Command, printResult, textFlag, withClient } from '../command.ts'
import { durationMs } from '../parse-values.ts'

export const takeTerminal: Command = {
  name: 'take',
  usage: 'ID',
  summary: 'take a terminal over: agents cannot type there until you release it',
  group: 'people',
  words: [1, 1],
  completes: 'terminal',
  flags: {
    for: { type: 'string', value: 'TIME', help: 'release it after this time; default 5m' },
    reason: { type: 'string', value: 'TEXT', help: 'the reason that agents are shown' },
  },
  notes: [
    'Input from agents stops at once, and a line that they have begun is removed. Repeat the command to extend the time.',
    'In `agentpty attach`: ctrl+] t.',
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
  summary: 'give a terminal back to agents',
  group: 'people',
  words: [1, 1],
  completes: 'terminal',
  flags: {
    'agents-only': { type: 'boolean', help: 'only agents may type; people must take the terminal over first' },
  },
  notes: ['Agents that wait for the terminal continue. Their next result lists the commands that ran meanwhile.'],
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
