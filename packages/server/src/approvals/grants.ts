/** Permissions of persons that last longer than one call. */

import { limitReached, TermError } from '@agentpty/protocol'
import { type Grant, type GrantOffer, grantsMax, type Wish } from '@agentpty/protocol/approvals'

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
    throw limitReached(
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
    throw new TermError('not_asking', `There is no grant ${grantId}.`, 'List the grants: agentpty approvals grants')
  return [found, { ...kept, grants: kept.grants.filter((grant) => grant !== found) }]
}

// Which commands a grant takes in: by their words, and never wider than the person was shown.

const anyName = '*'

/** Programs whose first words all are names of what they work on. */
const takesNames = /^(?:rm|rmdir|unlink|shred|trash|mv|cp|ln|touch|mkdir|truncate)$/

/** Null for what can be allowed once only. */
export function offerOf({ words, isBounded }: Pick<Wish, 'words' | 'isBounded'>): GrantOffer | null {
  if (words === null) return null
  const like = isBounded ? likeOf(words) : words
  return { same: words.join(' '), like: like.some((word) => word === anyName) ? like.join(' ') : null }
}

/** Names become `*`; what says which work it is stays: the program, its first word, its options. */
function likeOf(words: readonly string[]): readonly string[] {
  const [program = ''] = words
  const kept = takesNames.test(program) ? 1 : 2
  return words.map((word, index) => (index < kept || !isName(word) ? word : anyName))
}

/** A name below the folder that leads nowhere else. */
function isName(word: string): boolean {
  return !/^[-/~+@%]/.test(word) && !/[:=*?[\]{}\s]/.test(word) && !word.split('/').includes('..') && !isGit(word)
}

const isGit = (word: string) => word.split('/').some((part) => part === '.git' || part === '')

function takesIn({ command, rule, terminalId, cwd }: Grant, wish: Wish): boolean {
  if (wish.words === null || wish.rule !== rule) return false
  if (terminalId !== null && terminalId !== wish.terminalId) return false
  const given = command.split(' ')
  const isLike = given.includes(anyName)
  const isHere = wish.cwd === cwd || (isLike && wish.cwd.startsWith(cwd === '/' ? cwd : `${cwd}/`))
  if (!isHere || (isLike && !wish.isBounded) || given.length !== wish.words.length) return false
  return wish.words.every((word, index) => word === given[index] || (given[index] === anyName && isName(word)))
}

/** Accepts words without blanks (ambiguous) and `*` (any name), which a person sees unchanged: exactly these words are compared. */
export function isGrantable(words: readonly string[]): boolean {
  return words.length > 0 && words.every((word) => /^[!-)+-~]+$/.test(word))
}
