/** What is worth saying aloud of terminals: whose turn it has become, who asks, and what has ended. Never what a program prints. */

import type { Need } from '@agentpty/protocol/needs'
import { nameOf, type Row } from '@agentpty/protocol/overview'

const textCharactersMax = 200

export interface TurnsOptions {
  /** Of all others only what has failed is said, besides what they ask. */
  readonly focusedId: string | null
}

/** What has changed from one list of rows to the next; nothing of one that was not there before. */
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

function endWords({ exitCode, signal }: Row): string {
  if (signal !== null) return `ended by ${signal}`
  return exitCode === null || exitCode === 0 ? 'ended' : `failed (${exitCode})`
}

/** Of those that have come; a failure is said by the end of its terminal. */
export function needWords(before: readonly Need[], after: readonly Need[]): readonly string[] {
  const known = new Set(before.map(({ needId }) => needId))
  return after.flatMap((need) => (known.has(need.needId) || need.kind === 'failure' ? [] : [askingWords(need)]))
}

function askingWords({ kind, title, text }: Need): string {
  const asked = text.replaceAll(/\s+/g, ' ').trim().slice(0, textCharactersMax)
  if (kind === 'password') return `${title} asks for a password: ${asked}`
  if (kind === 'approval') return `${title} wants your approval: ${asked}`
  return kind === 'takeOver' ? `${title} asks you to take over: ${asked}` : `${title} asks: ${asked}`
}
