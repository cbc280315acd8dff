/** The name under which the daemon lists this window as a holder; null before it has taken any lease. */

import { holderWords, type Row } from '@agentpty/protocol/overview'

let own: string | null = null

export function rememberHolder(holder: string | null): void {
  own = holder
}

export const shownHolder = (row: Row | null): string => (row === null ? '' : holderWords(row, own))
