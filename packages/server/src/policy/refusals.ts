/** The errors by which a call is refused: each says what decided, where that is written, and the next move. */

import { TermError } from '@agentpty/protocol'
import { type Approval, repeatByTool, shownText } from '@agentpty/protocol/approvals'
import { defaultProfile, type Judgement, type PolicyRules } from '@agentpty/shell-policy'

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

interface Repeated {
  /** For the agent; the approval has that for the person. */
  readonly reason: string
  /** The tool that the caller has called, and calls again once there is an answer. */
  readonly tool: string
  readonly id: string | null
}

export function needsApproval(
  { approvalId, rule, resolved, effects }: Approval,
  { reason, tool, id }: Repeated,
): TermError {
  const lines = [
    `A person must allow this first (${rule}): ${resolved}${named(id)}`,
    ...effects.map((effect) => `→ ${effect}`),
    `It was not done; they are asked as ${approvalId}.`,
  ]
  return new TermError(
    'needs_approval',
    lines.join('\n'),
    `${reason} Once they have allowed it (they look with: agentpty approvals), ${repeatByTool(tool)}; or do without it.`,
  )
}
