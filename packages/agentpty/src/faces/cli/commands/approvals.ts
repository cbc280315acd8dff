/** `agentpty approvals`: what agents want to do and a person must allow first. */

import type { Approval } from '../../../contracts/approvals/approval.ts'
import { TermError } from '../../../contracts/errors.ts'
import type { VerbInput } from '../../../contracts/verbs/index.ts'
import { type Command, type CommandCall, exitCode, withClient } from '../command.ts'

export const showApprovals: Command = {
  name: 'approvals',
  usage: '[answer ID allow|deny]',
  summary: 'what agents want to do and you must allow first; and your answers',
  group: 'people',
  words: [0, 3],
  choices: ['answer'],
  flags: {
    all: { type: 'boolean', short: 'a', help: 'those that are answered or expired as well' },
    watch: { type: 'boolean', short: 'w', help: 'stay, and show each that comes; calls then wait for your answer' },
  },
  notes: [
    'An answer counts once and for the very same call: allow it, and the agent can make the call again.',
    'What nobody answers within 15 minutes is not done. The first answer counts.',
    'Letters that look like others, and characters that would not show, are spelled out: ⟨U+202E⟩.',
  ],
  examples: ['agentpty approvals', 'agentpty approvals answer ap-3 allow', 'agentpty approvals --watch'],
  run: (call) => (call.words.length === 0 ? show(call) : decide(call)),
}

async function show({ options, flags, json }: CommandCall): Promise<number> {
  const all = flags['all'] === true
  return withClient(options, async (client) => {
    const { approvals } = await client.call('approvals', { all })
    if (json) await options.print(`${JSON.stringify({ approvals })}\n`)
    else if (flags['watch'] !== true || approvals.length > 0) await options.print(listText(approvals))
    if (flags['watch'] !== true) return exitCode.ok
    const seen = new Set(approvals.map(keyOf))
    const over = new AbortController()
    const stop = options.onInterrupt(() => over.abort())
    while (!over.signal.aborted) {
      const wait = { all: true, waitTimeoutMs: watchMs }
      const next = await client.call('approvals', wait, { signal: over.signal }).catch(ifOver(over.signal))
      const fresh = (next?.approvals ?? []).filter(
        (one) => !seen.has(keyOf(one)) && (one.state === 'open' || seen.has(openKeyOf(one))),
      )
      for (const one of fresh) seen.add(keyOf(one))
      if (fresh.length > 0)
        await options.print(json ? `${JSON.stringify({ approvals: fresh })}\n` : fresh.map(toText).join('\n'))
    }
    stop()
    return exitCode.ok
  })
}

const watchMs = 60_000

const keyOf = ({ approvalId, state }: Approval) => `${approvalId} ${state}`
const openKeyOf = ({ approvalId }: Approval) => `${approvalId} open`

const ifOver = (signal: AbortSignal) => (error: unknown) => {
  if (!signal.aborted) throw error
  return null
}

async function decide({ options, words, json }: CommandCall): Promise<number> {
  const [verb, approvalId, answer] = words
  if (verb !== 'answer' || approvalId === undefined || (answer !== 'allow' && answer !== 'deny'))
    throw new TermError(
      'invalid_input',
      `approvals ${words.join(' ')}: an answer is an id and allow or deny.`,
      'For example: agentpty approvals answer ap-3 allow',
    )
  const input: VerbInput<'decide'> = { approvalId, answer }
  const { approval } = await withClient(options, (client) => client.call('decide', input), { mayStart: false })
  await options.print(
    json ? `${JSON.stringify({ approval })}\n` : `${approval.approvalId} ${approval.state}: ${approval.resolved}\n`,
  )
  return exitCode.ok
}

function listText(approvals: readonly Approval[]): string {
  if (approvals.length === 0) return 'Nothing waits for you.\n'
  return `${approvals.map(toText).join('\n')}`
}

function toText(approval: Approval): string {
  const { approvalId, state, client, chain, terminalId, cwd, action, text, resolved, rule, reason, answeredBy } =
    approval
  const how =
    state === 'open'
      ? `answer: agentpty approvals answer ${approvalId} allow|deny`
      : `${state}${answeredBy === null ? '' : ` by ${answeredBy}`}`
  const where = terminalId === null ? 'in a new terminal' : `in ${terminalId}`
  const through = chain.length === 0 ? '' : `, through ${chain.join(' → ')}`
  const whole =
    text.trim() === resolved.trim()
      ? []
      : text
          .trim()
          .split('\n')
          .map((line) => `    | ${line}`)
  return [
    `${approvalId}  ${rule}: ${reason}`,
    `    ${resolved}`,
    ...(whole.length === 0 ? [] : [`    of what it would ${action}:`, ...whole]),
    `    ${where}, folder ${cwd}, asked by ${client}${through}`,
    `    ${how}`,
    '',
  ].join('\n')
}
