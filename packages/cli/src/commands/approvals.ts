/** `agentpty approvals`: what agents want to do and a person must allow first. */

import { type Client, defined, invalidInput, isTermError, TermError } from '@agentpty/protocol'
import type { Approval, GrantChoice } from '@agentpty/protocol/approvals'
import type { VerbInput } from '@agentpty/protocol/verbs'
import { type Command, type CommandCall, durationFlag, exitCode, printResult, withClient } from '../command.ts'
import { approvalsText, approvalText, grantsText } from './approval-text.ts'

export const showApprovals: Command = {
  name: 'approvals',
  usage: '[answer ID… allow|deny | grants | revoke ID…]',
  summary: 'what agents want to do and you must allow first; and your answers',
  group: 'people',
  words: [0, 66],
  choices: ['answer', 'grants', 'revoke'],
  flags: {
    all: { type: 'boolean', short: 'a', help: 'those that are answered, expired or withdrawn as well' },
    watch: { type: 'boolean', short: 'w', help: 'stay, and show each that comes; calls then wait for your answer' },
    in: { type: 'string', help: 'with allow: from now on, in this `terminal` or in this `folder`', value: 'WHERE' },
    like: { type: 'boolean', help: 'with --in: with other names too, as the question says' },
    'end-job': { type: 'boolean', help: 'with deny: also end the job whose call is held' },
    for: { type: 'string', help: 'with --in: how long, as 30m, 8h (the default) or 7d (the most)', value: 'TIME' },
  },
  notes: [
    'An answer counts once and for the very same call: allow it, and the agent can make the call again.',
    'With --in it counts for a while. `grants` shows what does, `revoke` ends it.',
    'A request without an answer expires after 15 minutes. The first answer counts.',
    'Letters that look like others, and characters that would not show, are spelled out: ⟨U+202E⟩.',
  ],
  examples: [
    'agentpty approvals',
    'agentpty approvals answer ap-3 allow',
    'agentpty approvals answer ap-3 ap-4 deny',
    'agentpty approvals answer all allow',
    'agentpty approvals answer ap-5 allow --in folder --like --for 2h',
    'agentpty approvals revoke gr-1',
    'agentpty approvals --watch',
  ],
  run: (call) => {
    const [verb] = call.words
    if (verb === undefined) return show(call)
    return verb === 'grants' ? showGrants(call) : verb === 'revoke' ? revoke(call) : answer(call)
  },
}

async function show({ options, flags, json }: CommandCall): Promise<number> {
  const all = flags['all'] === true
  return withClient(options, async (client) => {
    const { approvals } = await client.call('approvals', { all })
    if (json) await options.print(`${JSON.stringify({ approvals })}\n`)
    else if (flags['watch'] !== true || approvals.length > 0) await options.print(approvalsText(approvals))
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
        await options.print(json ? `${JSON.stringify({ approvals: fresh })}\n` : fresh.map(approvalText).join('\n'))
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

/** Gives one answer to a list of approvals. Those that are closed, or do not offer it, are reported at the end; the others count. */
async function answer({ options, words, flags, json }: CommandCall): Promise<number> {
  const given = words.at(-1)
  const ids = words.slice(1, -1)
  if (words[0] !== 'answer' || ids.length === 0 || (given !== 'allow' && given !== 'deny'))
    throw invalidInput(
      `approvals ${words.join(' ')}: an answer is one id or several, or all, and allow or deny.`,
      'For example: agentpty approvals answer ap-3 allow',
    )
  const grant = grantOf(flags, given)
  return withClient(
    options,
    async (client) => {
      const asked = ids.length === 1 && ids[0] === 'all' ? await openIds(client) : ids
      const answered: Approval[] = []
      const refused: TermError[] = []
      for (const approvalId of asked) {
        const input: VerbInput<'decide'> = defined({
          approvalId,
          answer: given,
          grant,
          endJob: flags['end-job'] === true,
        })
        try {
          answered.push((await client.call('decide', input)).approval)
        } catch (error) {
          if (!isTermError(error) || asked.length === 1) throw error
          refused.push(error)
        }
      }
      const [approval] = answered
      const one = ids.length === 1 && ids[0] !== 'all' ? { approval } : { approvals: answered }
      if (json) await options.print(`${JSON.stringify(one)}\n`)
      else if (asked.length === 0) await options.print('Nothing waits for you.\n')
      else
        for (const { approvalId, state, resolved } of answered)
          await options.print(`${approvalId} ${state}: ${resolved}\n`)
      const [first] = refused
      if (first === undefined) return exitCode.ok
      throw new TermError(first.code, refused.map(({ message }) => message).join('\n'), first.hint)
    },
    { mayStart: false },
  )
}

async function openIds(client: Client): Promise<readonly string[]> {
  const { approvals } = await client.call('approvals', {})
  return approvals.map(({ approvalId }) => approvalId)
}

/** Errors: `invalid_input`. */
function grantOf(flags: CommandCall['flags'], given: 'allow' | 'deny'): GrantChoice | undefined {
  const { in: where, like, for: time } = flags
  if (where === undefined && like === undefined && time === undefined) return undefined
  if (given !== 'allow' || (where !== 'terminal' && where !== 'folder'))
    throw invalidInput(
      '--in, --like and --for say where and how long something is allowed.',
      'For example: agentpty approvals answer ap-3 allow --in folder --for 2h',
    )
  return defined({ where, command: like === true ? 'like' : 'same', forMs: durationFlag(flags, 'for') } as const)
}

async function showGrants({ options, json }: CommandCall): Promise<number> {
  return withClient(options, async (client) => {
    const { grants } = await client.call('approvals', {})
    return printResult({ options, json }, { grants }, grantsText(grants))
  })
}

async function revoke({ options, words, json }: CommandCall): Promise<number> {
  const ids = words.slice(1)
  if (ids.length === 0)
    throw invalidInput('approvals revoke needs the id of a grant.', 'See them: agentpty approvals grants')
  return withClient(
    options,
    async (client) => {
      for (const grantId of ids) {
        const { grant } = await client.call('revoke', { grantId })
        await options.print(json ? `${JSON.stringify({ grant })}\n` : `${grantId} revoked: ${grant.command}\n`)
      }
      return exitCode.ok
    },
    { mayStart: false },
  )
}
