/** `agentpty send` and `keys`: typing, and what came of it. */

import type { VerbOutput } from '../../../contracts/verbs/index.ts'
import { type Command, type CommandCall, exitCode, numberFlag, textsFlag, withClient } from '../command.ts'
import { parseWaitFor, waitForChoices, waitForHelp } from '../wait-words.ts'
import { optional } from './open.ts'

const waitFlags = {
  wait: {
    type: 'string',
    short: 'w',
    multiple: true,
    value: 'CONDITION',
    help: 'wait for this; default ready',
    choices: waitForChoices,
  },
  timeout: { type: 'string', value: 'MS', help: 'at most so long; default 30000' },
} as const

export const sendText: Command = {
  name: 'send',
  usage: 'ID TEXT... | ID -',
  summary: 'type text and Enter, print what comes of it',
  group: 'terminals',
  words: [2, Number.POSITIVE_INFINITY],
  completes: 'terminal',
  flags: {
    'no-enter': { type: 'boolean', help: 'only the text' },
    instruct: { type: 'boolean', help: 'the text instructs an agent: typed only when it is idle, never into a dialog' },
    ...waitFlags,
  },
  notes: ['- reads the text from standard input; its last line end is the Enter.', waitForHelp],
  examples: ['agentpty send build make test', 'git diff | agentpty send agent --instruct -'],
  run: async (call) => {
    const { options, words, flags } = call
    const [terminalId = '', ...rest] = words
    const text = rest.length === 1 && rest[0] === '-' ? (await options.readInput()).replace(/\n$/, '') : rest.join(' ')
    const result = await withClient(options, (client) =>
      client.call('send', {
        terminalId,
        text,
        newline: flags['no-enter'] !== true,
        ...(flags['instruct'] === true ? { instruct: true } : {}),
        ...waiting(call),
      }),
    )
    return printObservation(call, result)
  },
}

export const pressKeys: Command = {
  name: 'keys',
  usage: 'ID KEY...',
  summary: 'press keys, print what comes of it',
  group: 'terminals',
  words: [2, 300],
  completes: 'terminal',
  flags: waitFlags,
  notes: [
    'Keys are named like ctrl+c, alt+x, up, enter, escape, tab, f5, pagedown; one character is itself.',
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

function waiting({ flags }: CommandCall) {
  return {
    ...optional('waitFor', parseWaitFor(textsFlag(flags, 'wait'))),
    ...optional('waitTimeoutMs', numberFlag(flags, 'timeout')),
  }
}

type Observed = Pick<VerbOutput<'read'>, 'output' | 'outcome' | 'note' | 'state' | 'kind' | 'question'>

/** Output goes out as it is; what else a person should know goes to standard error. */
export function printObservation({ options, json }: Pick<CommandCall, 'options' | 'json'>, seen: Observed): number {
  if (json) options.print(`${JSON.stringify(seen)}\n`)
  else {
    if (seen.output !== '') options.print(seen.output.endsWith('\n') ? seen.output : `${seen.output}\n`)
    if (seen.note !== undefined) options.complain(`agentpty: ${seen.note}\n`)
    if (seen.outcome === 'timeout') options.complain('agentpty: not yet; it is still busy.\n')
  }
  return codeOf(seen.outcome)
}

/** What became of a wait, as an exit code. */
export function codeOf(outcome: 'met' | 'exited' | 'timeout' | undefined): number {
  if (outcome === 'timeout') return exitCode.timeout
  return outcome === 'exited' ? exitCode.exited : exitCode.ok
}
