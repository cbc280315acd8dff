/** What is new about a question: how often the like of it was asked here before, and what was answered. */

import { type Approval, answersBeforeOffer, type KeptApproval } from '@agentpty/protocol/approvals'

type Earlier = Approval & Pick<KeptApproval, 'answeredAt'>
type Question = Pick<Approval, 'rule' | 'cwd' | 'resolved' | 'offer'>

export function newsOf(question: Question, before: readonly Earlier[], now: number): string {
  const answered = before.filter((one) => isLike(one, question) && (one.state === 'allowed' || one.state === 'denied'))
  if (answered.length === 0) return 'The first of its kind in this folder.'
  const allowed = answered.filter(({ state }) => state === 'allowed').length
  const counts = [
    ...(allowed === 0 ? [] : [`allowed ${times(allowed)}`]),
    ...(allowed === answered.length ? [] : [`denied ${times(answered.length - allowed)}`]),
  ]
  const said = `The like was ${counts.join(' and ')} here before, last ${ago(now - Math.max(...answered.map(answeredAtOf)))} ago.`
  return allowed === answered.length && allowed >= answersBeforeOffer && question.offer !== null
    ? `${said} To be asked no more: answer with --in folder${question.offer.like === null ? '' : ' --like'}.`
    : said
}

const answeredAtOf = ({ answeredAt, askedAt }: Earlier): number => answeredAt ?? askedAt

function isLike(one: Approval, { rule, cwd, resolved, offer }: Question): boolean {
  if (one.rule !== rule || one.cwd !== cwd) return false
  return offer === null || one.offer === null ? one.resolved === resolved : kindOf(one.offer) === kindOf(offer)
}

const kindOf = ({ same, like }: NonNullable<Approval['offer']>) => like ?? same

const times = (count: number) => (count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`)

function ago(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / 60_000))
  if (minutes < 1) return 'less than a minute'
  if (minutes < 120) return minutes === 1 ? '1 minute' : `${minutes} minutes`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`
}
