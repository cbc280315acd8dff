/**
 * Choosing an option of a dialog, key by key. After each key the screen is read again: a highlight that does not go where it should, and
 * a dialog that does not go away, end it with an error. What submits is pressed once, so that the next dialog is never answered too.
 */

import type { ChoiceGroup, DialogChoices } from '@agentpty/engine/screen'
import { invalidInput, type Millis, TermError } from '@agentpty/protocol'
import { highlightedIn, isSame, nextChange, type Reading, readDialog, settled, settledMs } from './read-dialog.ts'

interface Choosing extends Reading {
  /** Presses a key as its caller may. */
  readonly press: (key: string) => Promise<void>
}

/** A program under load draws what a key did within this many ms. */
const movedMs = 2_000
/** A number that chooses nothing changes nothing for this long. */
const numberMs = 1_000
/** A dialog that was answered is gone within this many ms. */
const goneMs = 5_000
/** A program that draws its dialog anew may have cleared its rows for this long. */
const redrawnMs = 500
const holdMs = (found: 'gone' | 'highlighted') => (found === 'gone' ? redrawnMs : settledMs)

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
  let goneAt: Millis | null = null
  const look = (seen: DialogChoices | null) => {
    const now = choosing.clock.now()
    if (!isSame(seen, dialog)) {
      goneAt ??= now
      return 'gone'
    }
    if (highlightedIn(seen, group) === index) return 'highlighted'
    // The same words again, with another highlight, are the next dialog.
    return goneAt !== null && now - goneAt >= settledMs ? 'gone' : null
  }
  return (await settled(choosing, numberMs, look, holdMs)) === 'gone'
}

type Target = Pick<Option, 'group' | 'index' | 'label'>

/** One row at a time. */
async function moveTo(dialog: DialogChoices, target: Target, choosing: Choosing): Promise<void> {
  const { group, index } = target
  const [back, forth] = group.layout === 'across' ? ['left', 'right'] : ['up', 'down']
  const highlighted = (seen: DialogChoices | null) => (isSame(seen, dialog) ? highlightedIn(seen, group) : null)
  let at = await settled(choosing, movedMs, highlighted)
  for (let steps = 0; steps <= group.choices.length; steps += 1) {
    if (at === null) throw notChosen(target, choosing, 'the dialog has changed')
    if (at === index) return
    const from = at
    await choosing.press(from < index ? forth : back)
    at = await settled(choosing, movedMs, (seen) => {
      const now = highlighted(seen)
      return now === from ? null : now
    })
    if (at === null && highlighted(await readDialog(choosing)) === from)
      throw notChosen(target, choosing, 'the highlight does not move')
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
    const now = await readDialog(choosing)
    if (now === null || now.question !== dialog.question) return
    await nextChange(choosing, latest)
  }
  if (session.exit === null) throw notChosen(option, choosing, 'the question is still asked')
}

async function provenGone(dialog: DialogChoices, option: Target, choosing: Choosing): Promise<void> {
  const gone = await settled(choosing, goneMs, (seen) => (isSame(seen, dialog) ? null : 'gone'))
  if (gone !== null) return
  throw notChosen(option, choosing, 'the dialog is still there, after Enter was pressed once')
}

function notChosen({ label }: Pick<Option, 'label'>, { session }: Choosing, why: string): TermError {
  const message = `It is not sure that "${label}" was chosen in ${session.info.id}: ${why}.`
  return new TermError('not_submitted', message, 'Look with terminal_screenshot before you press anything more.')
}

/** An option as its callers know it. */
interface Option {
  /** The number in the dialog; otherwise its position among all options, from 1 on. */
  readonly number: number
  readonly label: string
  readonly isHighlighted: boolean
  readonly group: ChoiceGroup
  /** In its group. */
  readonly index: number
}

export function optionsOf({ groups }: DialogChoices): readonly Option[] {
  const all = groups.flatMap((group) =>
    group.choices.map(({ label, number }, index) => ({ label, number, index, group })),
  )
  return all.map(({ label, number, index, group }, at) => ({
    number: number ?? at + 1,
    label: shown(label),
    isHighlighted: group.highlighted === index,
    group,
    index,
  }))
}

/** Programs set the description of an option apart from its label by two blanks or more. */
const shown = (label: string) => label.trim().replaceAll(/\s{2,}/g, ' — ')
const withoutDetail = (label: string) => label.replace(/\s{2,}.*$/, '')
const plain = (text: string) => text.replaceAll(/\s+/g, ' ').trim().toLowerCase()

/** Errors: `invalid_input`, with the options that there are. */
export function pickOption(asked: string, options: readonly Option[]): Option {
  const wanted = plain(asked)
  const digits = /^\d{1,2}$/.test(wanted) ? options.filter(({ number }) => number === Number(wanted)) : []
  for (const found of [
    digits,
    ...matchers.map((matcher) => options.filter((option) => labelsOf(option).some(matcher(wanted)))),
  ]) {
    const [one, ...others] = found
    if (one !== undefined && others.length === 0) return one
    if (one !== undefined) throw unclear(`"${asked}" fits ${found.length} options of the dialog`, found)
  }
  throw unclear(`The dialog has no option "${asked}"`, options)
}

function labelsOf({ group, index }: Option): readonly string[] {
  const label = group.choices[index]?.label ?? ''
  return [plain(label), plain(shown(label)), plain(withoutDetail(label))]
}

/** The best first: the whole label; its beginning; words in it; of a label of one letter the word that it stands for. */
const matchers: readonly ((wanted: string) => (label: string) => boolean)[] = [
  (wanted) => (label) => label === wanted,
  (wanted) => (label) => label.startsWith(wanted),
  (wanted) => (label) => ` ${wordsIn(label)}`.includes(` ${wordsIn(wanted)}`) && wordsIn(wanted) !== '',
  (wanted) => (label) => label.length === 1 && /^(?:yes|no|all|always|never)$/.test(wanted) && wanted.startsWith(label),
]

const wordsIn = (text: string) => text.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim()

function unclear(what: string, options: readonly Option[]): TermError {
  const list = options.map(({ number, label }) => `${number}. ${label}`).join('; ')
  return invalidInput(`${what}: ${list}`, 'Name one by its number. Nothing was pressed.')
}
