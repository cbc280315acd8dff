/** `agentpty approvals`: what agents want to do and a person must allow first. */

import { type Client, defined, invalidInput, isTermError, TermError } from '@agentpty/protocol'
import type { Approval, GrantChoice } from '@agentpty/protocol/approvals'
import type { VerbInput } from '@agentpty/protocol/verbs'
import { type Command, type CommandCall, durationFlag, exitCode, printResult, withClient } from '../command.ts'
import { untilLeft } from '../until-left.ts'
import { approvalsText, approvalText, grantsText } from './approval-text.ts'

export const showApprovals: Command = {
  name: 'approvals',
  usage: '[answer ID… allow|deny | grants | revoke ID…]',
  summary: 'list commands of agents that need your approval, and answer them',
  group: 'people',
  words: [0, 66],
  choices: ['answer', 'grants', 'revoke'],
  flags: {
    all: { type: 'boolean', short: 'a', help: 'include requests that were answered, withdrawn or have expired' },
    watch: {
      type: 'boolean',
      short: 'w',
      help: 'keep running and show each new request; calls wait for your answer meanwhile; q leaves',
    },
    in: {
      type: 'string',
      help: 'with allow: allow it from now on, in this `terminal` or this `folder`',
      value: 'WHERE',
    },
    like: { type: 'boolean', help: 'with --in: allow similar commands too, as the request describes' },
    'end-job': { type: 'boolean', help: 'with deny: also end the job whose call is held' },
    for: { type: 'string', help: 'with --in: how long, at most 7d; default 8h', value: 'TIME' },
  },
  notes: [
    'An answer counts once, for exactly this call. After you allow it, the agent can repeat the call.',
    'With --in it counts for a time. `grants` lists such answers, and `revoke` ends one.',
    'A request expires after 15 minutes. The first answer counts.',
    'Invisible characters and letters that imitate others are spelled out: ⟨U+202E⟩.',
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
    else await options.print(approvalsText(approvals))
    if (flags['watch'] !== true) return exitCode.ok
    const seen = new Set(approvals.map(keyOf))
    const over = new AbortController()
    const stop = untilLeft(options, () => over.abort())
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
