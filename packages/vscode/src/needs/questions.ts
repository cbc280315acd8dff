/** The questions of needs as lists: the words first, which answer nothing, then the answers. */

import type { GrantChoice } from '@agentpty/protocol/approvals'
import type { Need } from '@agentpty/protocol/needs'
import { needWords } from '@agentpty/protocol/session'
import { labelRows, plainLabel, type Question, type Row } from './steady-pick.ts'

export interface Given {
  /** Null if the verb takes no answer. */
  readonly answer: string | null
  /** Further input of the verb. */
  readonly more?: { readonly endJob?: true; readonly grant?: GrantChoice }
  /** Takes the need off the list instead of answering it. */
  readonly isDismissed?: true
  /** The words for the person once it is sent. */
  readonly said: string
}

/** Shows the terminal, and answers nothing. */
export const show = 'show'
export const isShow = (given: Given | typeof show): given is typeof show => given === show

/** More rows would move the answers out of sight. */
const textRowsMax = 6

export const questionOf = {
  need(need: Need): Question<Given | typeof show> {
    const { kind, title, text } = need
    const { rows, left } = labelRows(text.trim(), textRowsMax)
    return {
      title: `${title} ${needWords[kind]}`,
      placeholder: placeholders[kind] ?? 'Choose an answer',
      rows: [
        ...rows.map((label): Row<typeof show> => ({ label, value: show })),
        ...(left === 0 ? [] : [{ label: `${left} more rows: show the terminal`, value: show } as const]),
        { label: 'Answers' },
        ...answersOf(need),
        ...(need.terminalId === null ? [] : [{ label: 'Show the terminal', value: show } as const]),
      ],
    }
  },
  /** A choice among several. */
  all(needs: readonly Need[]): Question<Need> {
    return {
      title: 'Answer what needs you',
      placeholder: 'Choose the one to answer',
      rows: needs.map((need) => ({
        label: plainLabel(need.text.split('\n')[0] ?? ''),
        description: `${need.title} ${needWords[need.kind]}`,
        value: need,
      })),
    }
  },
}

const placeholders: Partial<Readonly<Record<Need['kind'], string>>> = {
  takeOver: 'Take the terminal over, so that only you type there?',
  failure: 'Its program has failed',
}

function answersOf({ kind, options = [] }: Need): readonly Row<Given>[] {
  if (kind === 'takeOver')
    return [
      { label: 'Take over', value: { answer: null, said: 'Taken over.' } },
      { label: 'Decline', value: { answer: null, isDismissed: true, said: 'Declined.' } },
    ]
  if (kind === 'failure') return [{ label: 'Dismiss', value: { answer: null, said: 'Dismissed.' } }]
  return options.map((option) => ({
    label: plainLabel(option),
    value: { answer: option, said: `Answered: ${option}` },
  }))
}
