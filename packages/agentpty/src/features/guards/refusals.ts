/** The errors by which a call is refused: each says what decided, where that is written, and the next move. */

import type { Approval } from '../../contracts/approvals/approval.ts'
import { shownText } from '../../contracts/approvals/shown-text.ts'
import { TermError } from '../../contracts/errors.ts'
import { defaultProfile, type PolicyRules } from '../policy/rules/policy-rules.ts'
import type { Judgement } from '../policy/verdict.ts'

const shownMax = 200
const fileMax = 300

/** What a person looks a refusal up by: `agentpty policy why ID`. */
const named = (id: string | null) => (id === null ? '' : ` [${id}]`)

/** A judgement, and how strictly it was made; null for what is built in. */
interface Judged {
  readonly judgement: Judgement
  readonly profile: PolicyRules['profile']
}

export function deniedByPolicy({ judgement, profile }: Judged, id: string | null): TermError {
  const { rule, resolved, reason, source } = judgement
  const where =
    source === 'built-in' ? '' : ` It is written in ${shownText(source.file, fileMax)}, line ${source.line}.`
  return new TermError(
    'denied',
    `The policy refuses this (${rule}): ${shownText(resolved, shownMax)}${named(id)}`,
    `${reason}${where}`,
    { rule, source, profile: profile?.value ?? defaultProfile },
  )
}

export function deniedByPerson({ resolved }: Judgement, id: string | null): TermError {
  const what = shownText(resolved, shownMax)
  const hint = 'Do without it, or ask them what to do instead.'
  return new TermError('not_approved', `A person has said no: ${what}${named(id)}`, hint)
}

/** `tool`: what is called again once there is an answer. */
export function needsApproval(
  { approvalId, rule, resolved, reason }: Approval,
  tool: string,
  id: string | null,
): TermError {
  return new TermError(
    'needs_approval',
    `A person must allow this first (${rule}): ${resolved}${named(id)}\nIt was not done; they are asked as ${approvalId}.`,
    `${reason} Once they have allowed it (they look with: agentpty approvals), call ${tool} again with the same input; or do without it.`,
  )
}
