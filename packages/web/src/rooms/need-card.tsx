import { shownText } from '@agentpty/protocol/approvals'
import { type Need, type NeedKind, needTextCharactersMax } from '@agentpty/protocol/needs'
import type { ComponentChildren } from 'preact'
import type { Steadiness } from '../parts/use-steady.ts'
import {
  choicesOf,
  choose,
  confirm,
  decide,
  denyAndEndJob,
  dismissNeed,
  showTerminal,
  takeOver,
} from '../store/answers.ts'
import { approvals, type Card, farewellWords } from '../store/cards.ts'
import { wall } from '../store/store.ts'
import { durationWords } from '../system-clock.ts'
import { ApprovalCard } from './approval-card.tsx'
import { TextAnswer } from './text-answer.tsx'

const kindWords: Readonly<Record<NeedKind, string>> = {
  approval: 'Approval',
  question: 'Question',
  dialog: 'Dialog',
  password: 'Password',
  confirmation: 'Yes or no',
  takeOver: 'Take over',
  failure: 'Failure',
}

export interface NeedCardProps {
  readonly card: Card
  readonly isSelected: boolean
  readonly onSelect: () => void
  readonly steady: Steadiness
}

export function NeedCard({ card, isSelected, onSelect, steady }: NeedCardProps) {
  const { need, state } = card
  const { needId, kind, title, askedBy, since, terminalId } = need
  const approval = approvals.value.get(needId)
  const isOver = state !== 'open'
  return (
    <article
      class={`card-of ${kind}${isSelected ? ' selected' : ''}${isOver ? ' over' : ''}`}
      aria-label={`${kindWords[kind]}: ${title}`}
      aria-current={isSelected ? 'true' : undefined}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys go from card to card
      tabIndex={0}
      data-steady={needId}
      data-about={need.text}
      onFocusIn={onSelect}
    >
      <header>
        <span class="kind">{kindWords[kind]}</span>
        <h2>{shownText(title, 200)}</h2>
        <span class="quiet">
          {terminalId !== null && terminalId !== title && `${terminalId}, `}
          {askedBy !== undefined && `${shownText(askedBy, 200)}, `}
          {durationWords(wall.value - since)}
        </span>
      </header>
      {kind === 'approval' && approval !== undefined ? (
        <ApprovalCard approval={approval} />
      ) : (
        <p class="asked">
          {shownText(need.text, needTextCharactersMax + 100, kind === 'approval' ? 'command' : 'prose')}
        </p>
      )}
      {isOver ? (
        <p class="farewell" role="status">
          {farewellWords(card, approval)}
        </p>
      ) : (
        <Answers need={need} steady={steady} />
      )}
    </article>
  )
}

interface ChoiceProps {
  readonly label: ComponentChildren
  /** The keyboard shortcut; empty for none. */
  readonly press: string
  readonly onClick: () => void
  readonly look?: string
}

/** Enter does not press it: a person may still be typing when it appears. */
export function Choice({ label, press, onClick, look = '' }: ChoiceProps) {
  return (
    <button
      type="button"
      class={look}
      aria-keyshortcuts={press === '' ? undefined : press}
      onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      onClick={onClick}
    >
      {label} {press !== '' && <kbd>{press}</kbd>}
    </button>
  )
}

function Answers({ need, steady }: { readonly need: Need; readonly steady: Steadiness }) {
  if (need.kind === 'question' || need.kind === 'password') return <TextAnswer need={need} steady={steady} />
  const acts = choicesFor(need)
  return (
    <div class={need.kind === 'dialog' ? 'answers options' : 'answers'}>
      {acts.map(({ key, label, act, look }) => (
        <Choice
          key={key}
          label={label}
          press={key}
          look={look ?? ''}
          onClick={() => steady.ifSteady(need.needId, act)}
        />
      ))}
    </div>
  )
}

interface Act {
  readonly key: string
  readonly label: string
  readonly act: () => void
  readonly look?: string
}

/** The buttons in their order. The button that refuses is at the same position in all cards. */
function choicesFor(need: Need): readonly Act[] {
  const deny = (label: string, act: () => void): Act => ({ key: 'x', label, act, look: 'danger' })
  switch (need.kind) {
    case 'approval':
      return [
        { key: 'a', label: 'Allow once', act: () => void decide(need, true), look: 'main' },
        deny('Deny', () => void decide(need, false)),
        ...(approvals.value.get(need.needId)?.rule === 'effects'
          ? [{ key: 'e', label: 'Deny and end the job', act: () => void denyAndEndJob(need) }]
          : []),
      ]
    case 'confirmation': {
      const { yes, no, others } = choicesOf(need)
      const more = others.map((one, at) => ({ key: String(at + 1), label: one, act: () => void confirm(need, one) }))
      return [
        { key: 'y', label: yes === 'y' ? 'Yes' : yes, act: () => void confirm(need, yes) },
        { key: 'n', label: no === 'n' ? 'No' : no, act: () => void confirm(need, no) },
        ...more,
      ]
    }
    case 'dialog':
      return (need.options ?? []).map((option, at) => ({
        key: String(at + 1),
        label: shownText(option, 200, 'prose'),
        act: () => void choose(need, option),
      }))
    case 'takeOver':
      return [
        { key: 'o', label: 'Take over', act: () => void takeOver(need), look: 'main' },
        deny('Decline', () => void dismissNeed(need)),
      ]
    case 'failure':
      return [
        { key: 'l', label: 'Show', act: () => showTerminal(need), look: 'main' },
        deny('Dismiss', () => void dismissNeed(need)),
      ]
    default:
      return []
  }
}

export interface KeyAct {
  readonly act: () => void
  /** An answer counts only once the card has stopped moving. */
  readonly isAnswer: boolean
}

/** The keys of a card. `room`: the element that contains it. */
export function keysOf(need: Need, room: HTMLElement | null): ReadonlyMap<string, KeyAct> {
  const answers = choicesFor(need).map(({ key, act }) => [key, { act, isAnswer: true }] as const)
  const keys = new Map<string, KeyAct>(answers)
  const lead = (key: string, act: () => void) => keys.set(key, { act, isAnswer: false })
  const inCard = (selector: string) => room?.querySelector<HTMLElement>(`.selected ${selector}`)
  if (need.kind === 'question' || need.kind === 'password') lead('i', () => inCard('input')?.focus())
  if (need.kind === 'approval') lead('g', () => inCard('.grant-button')?.click())
  if (need.terminalId !== null) lead('l', () => showTerminal(need))
  return keys
}
