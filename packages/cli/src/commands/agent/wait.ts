/** `agentpty agent wait`: until agents have done what they were instructed to do. */

import type { Client } from '@agentpty/protocol'
import { stateWords } from '@agentpty/protocol/session'
import type { AwaitedAgent, VerbInput, WaitedTerminal } from '@agentpty/protocol/verbs'
import { type Command, type CommandCall, exitCode, numberFlag, withClient } from '../../command.ts'
import { Deadline } from '../../parse-values.ts'
import { ProgressLine } from '../../plain-text.ts'
import { terminalState } from '../../terminal-states.ts'

type Until = NonNullable<VerbInput<'awaitAgents'>['until']>
export const waitForAgents: Command = {
  name: 'agent wait',
  usage: 'ID...',
  summary: 'wait until agents have finished their tasks',
  group: 'agents',
  words: [1, 64],
  completes: 'terminals',
  flags: {
    any: { type: 'boolean', help: 'wait until one of them has finished' },
    'through-dialogs': { type: 'boolean', help: 'keep waiting while an agent shows a dialog' },
    timeout: { type: 'string', value: 'MS', help: 'the longest wait; default: no limit' },
  },
  notes: [
    'If an agent asks a question, the wait for it ends and its question is printed.',
    'Exit codes: 0 finished, 1 an agent asks or was closed, 4 timeout, 5 an agent’s program ended with an error.',
  ],
  examples: [
    'agentpty agent wait term-4 && agentpty agent answer term-4',
    'agentpty agent wait review audit --any --timeout 600000',
  ],
  run: async (call) => {
    const agents = await withClient(call.options, (client) => awaited(client, call))
    if (call.json) await call.options.print(`${JSON.stringify({ agents })}\n`)
    else await call.options.print(agents.map(lineOf).join(''))
    return codeOf(agents, untilOf(call))
  },
}

function untilOf({ flags }: Pick<CommandCall, 'flags'>): Until {
  return flags['any'] === true ? 'any' : 'all'
}

async function awaited(client: Client, { options, words, flags, json }: CommandCall): Promise<readonly AwaitedAgent[]> {
  const terminalIds = [...words]
  // Unknown names are refused, with a list of the known ones. A terminal that ends later is reported as an outcome.
  await client.call('wait', { terminalIds, waitFor: 'none' })
  const deadline = new Deadline(options.clock, numberFlag(flags, 'timeout'))
  const progress = new ProgressLine({ options, json })
  const input: VerbInput<'awaitAgents'> = {
    terminalIds,
    until: untilOf({ flags }),
    atDialog: flags['through-dialogs'] === true ? 'wait' : 'end',
  }
  const begun = options.clock.now()
  const show = async () => {
    const { terminals } = await client.call('wait', { terminalIds, waitFor: 'none' })
    progress.show(`${seconds(options.clock.now() - begun)}  ${terminals.map(stateOf).join(', ')}`)
  }
  // When reading their states fails, so does the wait, which reports the reason.
  const look = () => void show().catch(() => undefined)
  look()
  try {
    for (;;) {
      const waiting = { ...input, waitTimeoutMs: deadline.nextMs() }
      const { agents } = await client.call('awaitAgents', waiting, { progress: look })
      if (deadline.isPast || isOver(agents, untilOf({ flags }))) return agents
    }
  } finally {
    progress.clear()
  }
}

/** Nothing more is to be waited for: one of any has, or none is merely late. */
function isOver(agents: readonly AwaitedAgent[], until: Until): boolean {
  const isLate = ({ outcome }: AwaitedAgent) => outcome === 'timeout'
  return until === 'any' ? !agents.every(isLate) : !agents.some(isLate)
}

const seconds = (ms: number) => `${Math.round(ms / 1_000)} s`

function stateOf({ terminalId, ...turn }: WaitedTerminal): string {
  return `${terminalId} ${stateWords(terminalState(turn, { isAgent: true }))}`
}

/** For example: `term-4  asks: May I?   agentpty attach term-4`. */
export function lineOf({ terminalId, outcome, state, question, exitCode: code, signal, why }: AwaitedAgent): string {
  if (outcome === undefined) return `${terminalId}  still working\n`
  if (outcome === 'timeout') return `${terminalId}  not yet\n`
  if (outcome === 'gone') return `${terminalId}  was ${why ?? 'closed'}\n`
  if (outcome === 'asks')
    return `${terminalId}  asks${question === undefined ? '' : `: ${question}`}   Answer it: agentpty agent reply ${terminalId}\n`
  return `${terminalId}  ${state === 'exited' ? `ended with ${signal ?? code ?? 'an unknown code'}` : 'finished'}\n`
}

/** Returns the exit code for the agents that have an outcome. With `any`, one finished agent is enough for success. */
export function codeOf(agents: readonly AwaitedAgent[], until: Until): number {
  const codes = agents.flatMap((one) => (one.outcome === undefined ? [] : [codeOfOne(one)]))
  if (until === 'any' && codes.includes(exitCode.ok)) return exitCode.ok
  const gravest = [exitCode.failed, exitCode.exited, exitCode.timeout].find((code) => codes.includes(code))
  return gravest ?? exitCode.ok
}

function codeOfOne({ outcome, state, exitCode: code }: AwaitedAgent): (typeof exitCode)[keyof typeof exitCode] {
  if (outcome === 'gone' || outcome === 'asks') return exitCode.failed
  if (outcome === 'timeout') return exitCode.timeout
  return state === 'exited' && code !== 0 ? exitCode.exited : exitCode.ok
}
