/** The question of an approval: its effects, what would be done, and the answers. The first row is active, and answers nothing. */

import { type Approval, type GrantChoice, grantCommands, grantPlaces, grantTimes } from '@agentpty/protocol/approvals'
import type { Need } from '@agentpty/protocol/needs'
import { needWords } from '@agentpty/protocol/session'
import { labelRows, plainLabel, type Question, type Row } from './steady-pick.ts'

export type Decision = 'all' | 'show' | 'deny' | 'denyAndEndJob' | 'allow' | 'grant'

/** More would move the answers out of sight. */
const textRowsMax = 8

/** `approval`: null if its details are unknown. */
export function approvalQuestion(need: Need, approval: Approval | null): Question<Decision> {
  const { title, askedBy, terminalId } = need
  const by = askedBy === undefined || askedBy === title ? '' : `, asked by ${askedBy}`
  const { rows, left } = labelRows(approval?.text.trim() ?? need.text, textRowsMax)
  const inFolder = approval === null ? '' : placeOf(approval)
  return {
    title: `${title} ${needWords.approval}${by}`,
    placeholder: approval?.reason ?? 'The list below shows it.',
    rows: [
      ...(approval?.effects ?? []).map(
        (effect): Row<Decision> => ({
          label: `$(warning) ${plainLabel(effect)}`,
          value: 'all',
        }),
      ),
      ...rows.map(
        (label, at): Row<Decision> => ({
          label: at === 0 ? `$(chevron-right) ${label}` : label,
          value: 'all',
          ...(at === 0 ? { description: inFolder } : {}),
        }),
      ),
      ...(left === 0 ? [] : [{ label: `$(go-to-file) ${left} more rows: show all of it`, value: 'all' } as const]),
      { label: approval?.news || 'Answers' },
      ...answersTo(approval),
      ...(terminalId === null ? [] : [{ label: 'Show the terminal', value: 'show' } as const]),
    ],
  }
}

/** Whether the list has all of the text. */
export const isShownWhole = ({ text }: Approval): boolean => labelRows(text.trim(), textRowsMax).left === 0

function answersTo(approval: Approval | null): readonly Row<Decision>[] {
  const isHeld = approval?.rule === 'effects'
  const offer = approval?.offer ?? null
  return [
    { label: 'Deny', value: 'deny' },
    ...(isHeld ? [{ label: 'Deny and end the job', value: 'denyAndEndJob' } as const] : []),
    { label: 'Allow once', value: 'allow' },
    ...(offer === null ? [] : [{ label: 'Allow from now on…', value: 'grant' } as const]),
  ]
}

/** All of an approval as text. */
export function approvalText(approval: Approval): string {
  const { effects, reason, news, text } = approval
  return `${[...effects, reason, placeOf(approval), news].filter((line) => line !== '').join('\n')}\n\n${text.trim()}\n`
}

const placeOf = ({ cwd, through }: Approval): string =>
  through.length === 0 ? `in ${cwd}` : `in ${cwd}, through ${through.join(' → ')}`

/** One step of "Allow from now on": its name, and the choices in words. */
type GrantStep = readonly [legend: 'What' | 'Where' | 'For', choices: readonly (readonly [unknown, string])[]]

/** The steps, in the words of the page. None if only this call can be allowed. */
export function grantSteps(approval: Approval): readonly GrantStep[] {
  const { offer } = approval
  return offer === null
    ? []
    : [
        ['What', grantCommands(offer)],
        ['Where', grantPlaces(approval)],
        ['For', grantTimes],
      ]
}

/** `chosen`: null to go back. */
export interface GrantAnswer {
  readonly chosen: unknown
}

/** `before`: the values chosen in the earlier steps. Its first row goes back, because Enter must allow nothing. */
export function grantQuestion(
  [legend, choices]: GrantStep,
  approval: Approval,
  before: readonly unknown[],
): Question<GrantAnswer> {
  const steps = grantSteps(approval)
  const words = before.map((value, at) => steps[at]?.[1].find(([one]) => one === value)?.[1] ?? '')
  const isLast = before.length === steps.length - 1
  return {
    title: `Allow from now on (${before.length + 1} of ${steps.length})`,
    placeholder: isLast ? `The choice allows ${words.join(', ')}` : 'Nothing is allowed before the last step.',
    rows: [
      { label: 'Back to the question', value: { chosen: null } },
      { label: legend },
      ...choices.map(([value, label]) => ({ label: plainLabel(label), value: { chosen: value } })),
    ],
  }
}

/** `chosen`: the values of the steps, in their order. */
export function grantOf(chosen: readonly unknown[]): GrantChoice {
  const [command, where, forMs] = chosen as [GrantChoice['command'], GrantChoice['where'], number]
  return { command, where, forMs }
}
