/**
 * Choosing an option of a dialog, key by key. After each key the screen is read again: a highlight that does not go where it should, and
 * a dialog that does not go away, end it with an error. What submits is pressed once, so that the next dialog is never answered too.
 */

import { TermError } from '../../../contracts/errors.ts'
import type { Clock } from '../../../contracts/ports.ts'
import type { Millis } from '../../../contracts/units.ts'
import { type ChoiceGroup, choicesOf, type DialogChoices } from '../../../engine/screen/dialog-choices.ts'
import type { Session } from '../../../engine/session/session.ts'
import type { Option } from './pick-option.ts'
import { cancelled } from './wait-in-call.ts'

export interface Choosing {
  readonly clock: Clock
  readonly session: Session
  /** Presses a key as its caller may. */
  readonly press: (key: string) => Promise<void>
  readonly signal: AbortSignal | undefined
}

/** A program under load draws what a key did within this many ms. */
const movedMs = 2_000
/** A number that chooses nothing changes nothing for this long. */
const numberMs = 1_000
/** A dialog that was answered is gone within this many ms. */
const goneMs = 5_000

/** Errors: `not_submitted`, `cancelled`; those of a key. */
export async function chooseOption(dialog: DialogChoices, option: Option, choosing: Choosing): Promise<void> {
  const { group, index } = option
  if (group.layout === 'typed') return type(dialog, option, choosing)
  if (group.highlighted === null || group.highlighted !== index) {
    const isChosen = await byNumber(dialog, option, choosing)
    if (isChosen) return
    await moveTo(dialog, option, choosing)
  }
  // Enter is for the button, not for the list above it.
  const [list, buttons] = dialog.groups
  if (buttons !== undefined && group === list)
    await moveTo(dialog, { group: buttons, index: 0, label: buttons.choices[0]?.label ?? '' }, choosing)
  await choosing.press('enter')
  await provenGone(dialog, option, choosing)
}

/** Some take the number alone, others go to the option; false when it only is highlighted, or the number means nothing. */
async function byNumber(dialog: DialogChoices, option: Option, choosing: Choosing): Promise<boolean> {
  const { group, index } = option
  const number = group.choices[index]?.number ?? null
  if (number === null || number > 9) return false
  await choosing.press(String(number))
  let isGone = false
  await until(choosing, numberMs, (seen) => {
    isGone = !isSame(seen, dialog)
    return isGone || highlightedIn(seen, group) === index
  })
  return isGone
}

type Target = Pick<Option, 'group' | 'index' | 'label'>

/** One row at a time. */
async function moveTo(dialog: DialogChoices, target: Target, choosing: Choosing): Promise<void> {
  const { group, index } = target
  const [back, forth] = group.layout === 'across' ? ['left', 'right'] : ['up', 'down']
  for (let steps = 0; steps <= group.choices.length; steps += 1) {
    const seen = await read(choosing)
    const at = highlightedIn(seen, group)
    if (!isSame(seen, dialog) || at === null) throw notChosen(target, choosing, 'the dialog has changed')
    if (at === index) return
    await choosing.press(at < index ? forth : back)
    const hasMoved = await until(choosing, movedMs, (now) => !isSame(now, dialog) || highlightedIn(now, group) !== at)
    if (!hasMoved) throw notChosen(target, choosing, 'the highlight does not move')
  }
  throw notChosen(target, choosing, 'the highlight goes elsewhere')
}

/** A program that reads lines wants Enter as well. */
async function type(dialog: DialogChoices, option: Option, choosing: Choosing): Promise<void> {
  const { session, press, clock } = choosing
  const isLine = session.turn().verdict.kind !== 'key'
  const { row, col } = (await session.screen()).picture().cursor
  const keys = isLine ? [...option.label, 'enter'] : [option.label.slice(0, 1)]
  for (const key of keys) await press(key)
  const latest = clock.now() + goneMs
  while (clock.now() < latest && session.exit === null) {
    const { cursor } = (await session.screen()).picture()
    if (cursor.row !== row || cursor.col < col) return
    const now = choicesOf((await session.screen()).picture())
    if (now === null || now.question !== dialog.question) return
    await nextChange(choosing, latest)
  }
  if (session.exit === null) throw notChosen(option, choosing, 'the question is still asked')
}

async function provenGone(dialog: DialogChoices, option: Target, choosing: Choosing): Promise<void> {
  if (await until(choosing, goneMs, (seen) => !isSame(seen, dialog))) return
  throw notChosen(option, choosing, 'the dialog is still there, after Enter was pressed once')
}

/** Whether it holds in time; a program that has ended shows no dialog. */
async function until(choosing: Choosing, ms: Millis, holds: (seen: DialogChoices | null) => boolean): Promise<boolean> {
  const { clock, session } = choosing
  const latest = clock.now() + ms
  for (;;) {
    if (holds(session.exit === null ? await read(choosing) : null)) return true
    if (clock.now() >= latest) return false
    await nextChange(choosing, latest)
  }
}

async function read({ session }: Choosing): Promise<DialogChoices | null> {
  return choicesOf((await session.screen()).picture())
}

async function nextChange({ session, signal }: Choosing, deadline: Millis): Promise<void> {
  const ending = await session.wait({ conditions: [{ kind: 'output' }], since: session.parsedTo, deadline, signal })
  if (ending.outcome === 'cancelled') throw cancelled()
}

function isSame(seen: DialogChoices | null, dialog: DialogChoices): boolean {
  return seen !== null && seen.above === dialog.above && labelsOf(seen) === labelsOf(dialog)
}

const labelsOf = ({ groups }: DialogChoices): string =>
  JSON.stringify(groups.map(({ layout, choices }) => [layout, ...choices.map(({ label }) => label)]))

function highlightedIn(seen: DialogChoices | null, { layout }: ChoiceGroup): number | null {
  return seen?.groups.find((group) => group.layout === layout)?.highlighted ?? null
}

function notChosen({ label }: Pick<Option, 'label'>, { session }: Choosing, why: string): TermError {
  const message = `It is not sure that "${label}" was chosen in ${session.info.id}: ${why}.`
  return new TermError('not_submitted', message, 'Look with terminal_screenshot before you press anything more.')
}
