/** Which commands a grant takes in: by their words, and never wider than the person was shown. */

import type { Grant, GrantOffer, Wish } from '@agentpty/protocol/approvals'

/** What stands for one name. */
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

export function takesIn({ command, rule, terminalId, cwd }: Grant, wish: Wish): boolean {
  if (wish.words === null || wish.rule !== rule) return false
  if (terminalId !== null && terminalId !== wish.terminalId) return false
  const given = command.split(' ')
  const isLike = given.includes(anyName)
  const isHere = wish.cwd === cwd || (isLike && wish.cwd.startsWith(cwd === '/' ? cwd : `${cwd}/`))
  if (!isHere || (isLike && !wish.isBounded) || given.length !== wish.words.length) return false
  return wish.words.every((word, index) => word === given[index] || (given[index] === anyName && isName(word)))
}

/**
 * A word with a blank could not be told from two, nor `*` from any name; and a person must see each letter as it is, since the words are
 * what is compared.
 */
export function isGrantable(words: readonly string[]): boolean {
  return words.length > 0 && words.every((word) => /^[!-)+-~]+$/.test(word))
}
