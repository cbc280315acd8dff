/**
 * Reading the dialog that a program shows, from a screen that the program may be drawing just now: rows are cleared before they are
 * written, a highlight goes before it comes back, and a dialog that is half there looks like none or like another. What is read counts
 * when it holds for a moment.
 */

import { type ChoiceGroup, choicesOf, type DialogChoices } from '@agentpty/engine/screen'
import type { Session } from '@agentpty/engine/session'
import type { Clock, Millis } from '@agentpty/protocol'
import { cancelled } from './wait-in-call.ts'

export interface Reading {
  readonly clock: Clock
  readonly session: Session
  readonly signal: AbortSignal | undefined
}

/** Longer than a program under load takes between two rows that it draws. */
export const settledMs = 80
/** A dialog that never settles is read unchanged after this time. */
const unsettledMs = 1_000

/** Null: none that can be read. */
export async function readDialog({ session }: Pick<Reading, 'session'>): Promise<DialogChoices | null> {
  return session.exit === null ? choicesOf((await session.screen()).picture()) : null
}

/** Reads the dialog once it was unchanged for a moment. Errors: `cancelled`. */
export async function readSettled(reading: Reading): Promise<DialogChoices | null> {
  let dialog: DialogChoices | null = null
  await settled(reading, unsettledMs, (seen) => {
    dialog = seen
    return JSON.stringify(seen)
  })
  return dialog
}

/**
 * Returns the result of `look` once it was the same for a moment; null: not in time, or the program has ended. Errors: `cancelled`.
 *
 * @param holdMs - How long that moment is.
 */
export async function settled<Found extends string | number>(
  reading: Reading,
  ms: Millis,
  look: (seen: DialogChoices | null) => Found | null,
  holdMs: (found: Found) => Millis = () => settledMs,
): Promise<Found | null> {
  const { clock, session } = reading
  const latest = clock.now() + ms
  let found: Found | null = null
  let foundAt = clock.now()
  for (;;) {
    const before: Found | null = found
    found = look(await readDialog(reading))
    const now = clock.now()
    if (found !== before) foundAt = now
    const held = found === null ? settledMs : holdMs(found)
    if (found !== null && (session.exit !== null || now - foundAt >= held)) return found
    if (now >= latest + held) return found
    if (now >= latest && found === null) return null
    await nextChange(reading, found === null ? latest : foundAt + held)
  }
}

/** Until the program writes, or the deadline. Errors: `cancelled`. */
export async function nextChange({ session, signal }: Reading, deadline: Millis): Promise<void> {
  const ending = await session.wait({ conditions: [{ kind: 'output' }], since: session.parsedTo, deadline, signal })
  if (ending.outcome === 'cancelled') throw cancelled()
}

export function isSame(seen: DialogChoices | null, dialog: DialogChoices): boolean {
  return seen !== null && seen.above === dialog.above && labelsOf(seen) === labelsOf(dialog)
}

export function highlightedIn(seen: DialogChoices | null, { layout }: ChoiceGroup): number | null {
  return seen?.groups.find((group) => group.layout === layout)?.highlighted ?? null
}

const labelsOf = ({ groups }: DialogChoices): string =>
  JSON.stringify(groups.map(({ layout, choices }) => [layout, ...choices.map(({ label }) => label)]))
