/** What persons have allowed beyond once. */

import { TermError } from '@agentpty/protocol'
import { type Grant, grantsMax, type Wish } from '@agentpty/protocol/approvals'
import { takesIn } from './grant-words.ts'

export interface KeptGrants {
  /** The number of the newest, also of one that is over. */
  readonly last: number
  readonly grants: readonly Grant[]
}

export const noGrants: KeptGrants = { last: 0, grants: [] }

/** Errors: `limit_reached`. */
export function withGrant(kept: KeptGrants, grant: Omit<Grant, 'grantId' | 'uses'>, wall: number): KeptGrants {
  const holding = kept.grants.filter(({ expiresAt }) => wall < expiresAt)
  if (holding.length >= grantsMax)
    throw new TermError(
      'limit_reached',
      `${grantsMax} grants hold already.`,
      'Revoke some (agentpty approvals grants), or write a rule into config.yaml.',
    )
  return { last: kept.last + 1, grants: [...holding, { grantId: `gr-${kept.last + 1}`, uses: 0, ...grant }] }
}

/** With one use more of the grant that takes the wish in; null where none does. */
export function used(kept: KeptGrants, wish: Wish, wall: number): readonly [Grant, KeptGrants] | null {
  const found = kept.grants.find((grant) => wall < grant.expiresAt && takesIn(grant, wish))
  if (found === undefined) return null
  const grant = { ...found, uses: found.uses + 1 }
  return [grant, { ...kept, grants: kept.grants.map((one) => (one === found ? grant : one)) }]
}

/** Errors: `not_asking` for one that does not hold any more. */
export function withoutGrant(kept: KeptGrants, grantId: string, wall: number): readonly [Grant, KeptGrants] {
  const found = kept.grants.find((grant) => grant.grantId === grantId && wall < grant.expiresAt)
  if (found === undefined)
    throw new TermError('not_asking', `No grant ${grantId} holds.`, 'See which do: agentpty approvals grants')
  return [found, { ...kept, grants: kept.grants.filter((grant) => grant !== found) }]
}
