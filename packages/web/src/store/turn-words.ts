/** Builds announcements about terminals: turns, requests and ends. Program output is never announced. */

import type { Need } from '@agentpty/protocol/needs'
import { endWords, nameOf, type Row, needWords as wordsOfNeed } from '@agentpty/protocol/overview'

const textCharactersMax = 200

export interface TurnsOptions {
  /** The terminal in focus. Of all others only failures and requests are announced. */
  readonly focusedId: string | null
}

/** Describes the changes between two lists of rows. New rows are not announced. */
export function turnWords(
  before: readonly Row[],
  after: readonly Row[],
  { focusedId }: TurnsOptions,
): readonly string[] {
  const known = new Map(before.map((row) => [row.terminalId, row]))
  return after.flatMap((row) => {
    const was = known.get(row.terminalId)
    if (was === undefined || was.state === row.state) return []
    const isFocused = row.terminalId === focusedId
    if (row.state === 'exited') return isFocused || hasFailed(row) ? [`${nameOf(row)}: ${endWords(row)}`] : []
    return isFocused && was.state === 'busy' && row.state === 'ready' ? [`${nameOf(row)}: your turn`] : []
  })
}

const hasFailed = ({ exitCode, signal }: Row): boolean => (exitCode ?? 0) !== 0 || signal !== null

/** Describes new requests. A failure is announced with the end of its terminal. */
export function needWords(before: readonly Need[], after: readonly Need[]): readonly string[] {
  const known = new Set(before.map(({ needId }) => needId))
  return after.flatMap((need) => (known.has(need.needId) || need.kind === 'failure' ? [] : [askingWords(need)]))
}

function askingWords({ kind, title, text }: Need): string {
  const asked = text.replaceAll(/\s+/g, ' ').trim().slice(0, textCharactersMax)
  return `${title} ${wordsOfNeed[kind]}: ${asked}`
}
