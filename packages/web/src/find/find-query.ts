/** The text that a person seeks in the output of a terminal, as the fields of `read`, and the state of the search in words. */

import type { SoughtText } from '../scroll-back/marked-rows.ts'

export interface FindQuery {
  readonly text: string
  /** Capitals and small letters differ. */
  readonly isCase: boolean
  readonly isRegex: boolean
}

export type FindStatus =
  | { readonly kind: 'idle' }
  | { readonly kind: 'searching' }
  | { readonly kind: 'missing' }
  /** `place` counts from the newest line on; null while it is unknown. So is `count`, the number of matching lines. */
  | { readonly kind: 'found'; readonly place: number | null; readonly count: number | null; readonly isMore: boolean }
  | { readonly kind: 'failed'; readonly message: string }

export function soughtIn({ text, isCase, isRegex }: FindQuery): SoughtText {
  const find = isRegex ? text : text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
  return { find, ignoreCase: !isCase }
}

/** Returns the reason why a text is no regular expression; null if it is one. */
export function faultIn({ text, isRegex }: FindQuery): string | null {
  if (!isRegex) return null
  try {
    new RegExp(text)
    return null
  } catch (error) {
    // The browser's message repeats the expression before the reason.
    const reason = String(error).split(': ').at(-1) ?? ''
    return `Not a regular expression: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`
  }
}

export function statusWords(status: FindStatus): string {
  if (status.kind === 'idle') return ''
  if (status.kind === 'searching') return 'Searching…'
  if (status.kind === 'missing') return 'No matches'
  if (status.kind === 'failed') return status.message
  const { place, count, isMore } = status
  if (count === null) return 'Counting…'
  return `${place === null ? '?' : place.toLocaleString('en')} of ${count.toLocaleString('en')}${isMore ? '+' : ''}`
}
