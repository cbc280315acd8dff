import { type Client, defined } from '@agentpty/protocol'
import { type Command, exitCode, numberFlag, textsFlag, withClient } from '../command.ts'
import { conditionFlag, explain, parseWaitFor, waitForHelp } from '../observation.ts'
import { Deadline } from '../parse-values.ts'
import { untilLeft } from '../until-left.ts'

export const waitForTerminals: Command = {
  name: 'wait',
  usage: 'ID...',
  summary: 'wait until one of the terminals waits for input, or for another condition',
  group: 'terminals',
  words: [1, 64],
  completes: 'terminals',
  flags: {
    for: conditionFlag('the condition; default ready'),
    each: { type: 'boolean', help: 'wait until the condition holds in each terminal' },
    timeout: { type: 'string', value: 'MS', help: 'the longest wait; default: no limit' },
  },
  notes: [
    waitForHelp,
    'text and pattern also match output that is already there; the other conditions count from now on.',
    'Exit codes: 0 the condition holds, 4 timeout, 5 the program ended first.',
  ],
  examples: ['agentpty wait build', 'agentpty wait server --for "text:Listening on" --timeout 60000'],
  run: async ({ options, words, flags, json }) => {
    const wanted = textsFlag(flags, 'for')
    const waitFor = parseWaitFor(wanted)
    const deadline = new Deadline(options.clock, numberFlag(flags, 'timeout'))
    const { terminals } = await withClient(options, async (client) => {
      const since = wanted.some((word) => /^(?:text|pattern):/.test(word))
        ? words.map(() => 0)
        : await cursors(client, words)
      const terminalIds = [...words]
      const input = defined({ terminalIds, since, any: flags['each'] !== true, waitFor })
      for (;;) {
        const answer = await client.call('wait', { ...input, waitTimeoutMs: deadline.nextMs() })
        if (
          deadline.isPast ||
          !answer.terminals.some(({ outcome }) => outcome === 'timeout' || outcome === 'needs_approval')
        )
          return answer
      }
    })
    if (json) options.print(`${JSON.stringify({ terminals })}\n`)
    else for (const one of terminals) options.print(`${one.terminalId}  ${one.outcome ?? one.state}\n`)
    const outcomes = terminals.map(({ outcome }) => outcome)
    if (outcomes.includes('timeout')) return exitCode.timeout
    return outcomes.includes('exited') ? exitCode.exited : exitCode.ok
  },
}

/** Where each terminal's output ends now. The wait refuses names that are unknown. */
async function cursors(client: Client, names: readonly string[]): Promise<number[]> {
  const { terminals } = await client.call('list', {})
  return names.map((name) => terminals.find((one) => one.terminalId === name || one.name === name)?.cursor ?? 0)
}

export const explainTurn: Command = {
  name: 'explain',
  usage: 'ID',
  summary: 'show the state of a terminal and the evidence for it',
  group: 'terminals',
  words: [1, 1],
  completes: 'terminal',
  flags: { follow: { type: 'boolean', short: 'f', help: 'print each change of the state and its evidence; q leaves' } },
  examples: ['agentpty explain build', 'agentpty explain build --follow'],
  run: async ({ options, words: [terminalId = ''], flags, json }) => {
    const { print } = options
    const left = new AbortController()
    const isFollowed = flags['follow'] === true
    const stop = isFollowed ? untilLeft(options, () => left.abort()) : null
    const follow = isFollowed ? left.signal : null
    await withClient(options, (client) => explain(client, { terminalId, follow, json, print }))
    stop?.()
    return exitCode.ok
  },
}
