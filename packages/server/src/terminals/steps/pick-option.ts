/** Which option of a dialog is meant. */

import type { ChoiceGroup, DialogChoices } from '@agentpty/engine/screen'
import { TermError } from '@agentpty/protocol'

/** An option as its callers know it. */
export interface Option {
  /** As the dialog numbers it; else its place among all of them, from 1 on. */
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

/** Two blanks and more stand between a label and what explains it. */
const shown = (label: string) => label.replaceAll(/\s+/g, ' ')
const withoutDetail = (label: string) => label.replace(/\s{2,}.*$/, '')
const plain = (text: string) => shown(text).trim().toLowerCase()

/** Errors: `invalid_input`, with the options that there are. */
export function pickOption(asked: string, options: readonly Option[]): Option {
  const wanted = plain(asked)
  const digits = /^\d{1,2}$/.test(wanted) ? options.filter(({ number }) => number === Number(wanted)) : []
  for (const found of [digits, ...ways.map((way) => options.filter((option) => labelsOf(option).some(way(wanted))))]) {
    const [one, ...others] = found
    if (one !== undefined && others.length === 0) return one
    if (one !== undefined) throw unclear(`"${asked}" fits ${found.length} options of the dialog`, found)
  }
  throw unclear(`The dialog has no option "${asked}"`, options)
}

function labelsOf({ group, index }: Option): readonly string[] {
  const label = group.choices[index]?.label ?? ''
  return [plain(label), plain(withoutDetail(label))]
}

/** The best first: the whole label; its beginning; words in it; of a label of one letter the word that it stands for. */
const ways: readonly ((wanted: string) => (label: string) => boolean)[] = [
  (wanted) => (label) => label === wanted,
  (wanted) => (label) => label.startsWith(wanted),
  (wanted) => (label) => ` ${wordsIn(label)}`.includes(` ${wordsIn(wanted)}`) && wordsIn(wanted) !== '',
  (wanted) => (label) => label.length === 1 && /^(?:yes|no|all|always|never)$/.test(wanted) && wanted.startsWith(label),
]

const wordsIn = (text: string) => text.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim()

function unclear(what: string, options: readonly Option[]): TermError {
  const list = options.map(({ number, label }) => `${number}. ${label}`).join('; ')
  return new TermError('invalid_input', `${what}: ${list}`, 'Name one by its number. Nothing was pressed.')
}
