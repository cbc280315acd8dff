/** Approvals and grants as a person reads them in a terminal. */

import type { Approval, HoldingGrant } from '@agentpty/protocol/approvals'

export function approvalsText(approvals: readonly Approval[]): string {
  return approvals.length === 0 ? 'Nothing waits for you.\n' : approvals.map(approvalText).join('\n')
}

export function approvalText(approval: Approval): string {
  const { approvalId, client, through, news } = approval
  const chain = through.length === 0 ? '' : `, through ${through.join(' → ')},`
  return [
    `${approvalId}  ${client}${chain} wants to ${approval.action} this ${placeOf(approval)}:`,
    ...doingOf(approval).map((line) => `    ${line}`),
    ...(news === '' ? [] : [`    ${news}`]),
    ...howToAnswer(approval).map((line) => `    ${line}`),
    '',
  ].join('\n')
}

/** The question to the person whose own command it is. */
export function approvalQuestion(approval: Approval): string {
  const lines = [...doingOf(approval), placeOf(approval)].map((line) => `    ${line}`)
  return `agentpty: This needs your approval.\n${lines.join('\n')}\nDo it? [y/N] `
}

/** The effects, the command, the rule, and the whole text if there is more of it. */
function doingOf({ effects, rule, reason, text, resolved, action }: Approval): readonly string[] {
  const whole = text.trim() === resolved.trim() ? [] : text.trim().split('\n')
  return [
    ...effects.map((effect) => `→ ${effect}`),
    resolved,
    `${rule}: ${reason}`,
    ...(whole.length === 0 ? [] : [`of what it would ${action}:`, ...whole.map((line) => `| ${line}`)]),
  ]
}

function placeOf({ terminalId, cwd }: Approval): string {
  return `${terminalId === null ? 'in a new terminal' : `in ${terminalId}`}, folder ${cwd}`
}

function howToAnswer({ approvalId, state, answeredBy, offer }: Approval): readonly string[] {
  if (state !== 'open') return [`${state}${answeredBy === null ? '' : ` by ${answeredBy}`}`]
  const answer = `answer: agentpty approvals answer ${approvalId} allow|deny`
  if (offer === null) return [answer]
  const like = offer.like === null ? '' : `; with --like also ${offer.like}`
  return [answer, `        allow --in terminal|folder [--for 8h]: ${offer.same} without a question${like}`]
}

export function grantsText(grants: readonly HoldingGrant[]): string {
  if (grants.length === 0) return 'Nothing is allowed beyond once.\n'
  return grants
    .map(({ grantId, command, rule, terminalId, cwd, leftMs, grantedBy, uses }) => {
      const where = terminalId === null ? `folder ${cwd}` : `${terminalId}, folder ${cwd}`
      const minutes = Math.max(1, Math.round(leftMs / 60_000))
      const time = minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
      return `${grantId}  ${command}\n    ${rule}, in ${where}, for ${time} more, used ${uses} ${uses === 1 ? 'time' : 'times'}, granted by ${grantedBy}\n`
    })
    .join('\n')
}
