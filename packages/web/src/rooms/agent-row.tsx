import type { Approval } from '@agentpty/protocol/approvals'
import type { Need } from '@agentpty/protocol/needs'
import { type Below, nameOf, type Row, type Tone } from '@agentpty/protocol/overview'
import { endedClientWords } from '@agentpty/protocol/session'
import { Icon } from '../parts/icons.tsx'
import { Holder, State } from '../parts/state.tsx'
import type { Steadiness } from '../parts/use-steady.ts'
import { decide } from '../store/answers.ts'
import { approvals } from '../store/cards.ts'
import { go, pathOf } from '../store/route.ts'
import { mayChange, needs, wall } from '../store/store.ts'
import { fold, isCollapsed, pinned, togglePin } from '../store/tree-view.ts'
import { durationWords } from '../system-clock.ts'
import { Choice } from './need-card.tsx'

export interface AgentRowProps {
  readonly row: Row
  readonly depth: number
  readonly below: Below
  readonly isContext?: boolean
  readonly isFoldable?: boolean
  /** Present where the row may offer an answer. */
  readonly steady?: Steadiness
}

/** One terminal of the tree. */
export function AgentRow({ row, depth, below, isContext = false, isFoldable = false, steady }: AgentRowProps) {
  const { terminalId, cwd, isSandboxed, clientEndedAt } = row
  const to = { room: 'terminal', terminalId } as const
  const request = requestOf(row)
  return (
    <li
      class={isContext ? 'row agent context' : 'row agent'}
      data-terminal={terminalId}
      data-steady={terminalId}
      data-about={request === null ? '' : `${request.need.needId} ${request.approval === null ? 'there' : 'here'}`}
      style={{ '--depth': Math.min(depth, 8) }}
    >
      {isFoldable && below.count > 0 ? <Fold id={terminalId} name={nameOf(row)} /> : <span class="fold" />}
      <a
        href={pathOf(to)}
        onClick={(event) => {
          event.preventDefault()
          go(to)
        }}
      >
        <span class="who">
          <span class="name">{nameOf(row)}</span>
          {isSandboxed && (
            <span class="walls" title="Sandboxed">
              <Icon name="lock" />
            </span>
          )}
          <Holder row={row} />
          {clientEndedAt !== null && <span class="holder">{endedClientWords(clientEndedAt, wall.value)}</span>}
        </span>
        <State row={row} />
        <Doing row={row} need={request?.need ?? null} />
        <span class="below">{belowWords(below)}</span>
        <span class="id">
          <Since since={row.since} />
          {row.name !== null && <span>{terminalId}</span>}
        </span>
        <span class="where" title={cwd}>
          {shortFolder(cwd)}
        </span>
      </a>
      {mayChange.value && steady !== undefined && request !== null && (
        <Answer request={request} steady={steady} of={terminalId} />
      )}
      <Pin row={row} />
    </li>
  )
}

export function Fold({ id, name }: { readonly id: string; readonly name: string }) {
  const isFolded = isCollapsed(id)
  return (
    <button
      type="button"
      class="plain fold"
      aria-expanded={!isFolded}
      aria-label={`Terminals below ${name}`}
      onClick={() => fold(id, !isFolded)}
    >
      <span class="triangle" aria-hidden="true" />
    </button>
  )
}

/** The first line; of an approval its effects and its command as well. */
function questionOf({ kind, text }: Need): string {
  const lines = text.split('\n')
  return kind === 'approval' ? lines.join(' · ') : (lines[0] ?? '')
}

/** Shows the question of the terminal, else its task, its title or its program. */
function Doing({ row: { agent, title, program }, need }: { readonly row: Row; readonly need: Need | null }) {
  const [text, kind] =
    need !== null ? [questionOf(need), 'doing asked'] : [agent?.task ?? (title === '' ? program : title), 'doing']
  return (
    <span class={kind} title={need?.text ?? `${program}\n${title}`.trim()}>
      {agent !== null && <span class="tag type">{agent.type}</span>}
      {text}
    </span>
  )
}

/** A terminal's request to a person, and where it can be answered. */
interface RowRequest {
  readonly need: Need
  /** An approval short enough to show in the row; null otherwise, and for other requests. */
  readonly approval: Approval | null
}

function requestOf({ terminalId, need: kind }: Row): RowRequest | null {
  const need = kind === null ? undefined : needs.value.find((one) => one.terminalId === terminalId)
  if (need === undefined) return null
  const approval = approvals.value.get(need.needId)
  const isWhole = approval !== undefined && approval.text.trim() === approval.resolved && approval.resolved.length < 60
  return { need, approval: isWhole ? approval : null }
}

interface AnswerProps {
  readonly request: RowRequest
  readonly steady: Steadiness
  /** The terminal of the row. */
  readonly of: string
}

/** Short approvals are answered in the row. Everything else leads to its card. */
function Answer({ request: { need, approval }, steady, of: terminalId }: AnswerProps) {
  const { needId } = need
  const to = { room: 'needs', needId } as const
  return (
    <span class="row-answer">
      {approval !== null ? (
        <>
          <Choice
            label="Allow once"
            press=""
            onClick={() => steady.ifSteady(terminalId, () => void decide(need, true))}
          />
          <Choice
            label="Deny"
            press=""
            look="danger"
            onClick={() => steady.ifSteady(terminalId, () => void decide(need, false))}
          />
        </>
      ) : (
        <a
          class="button"
          href={pathOf(to)}
          onClick={(event) => {
            event.preventDefault()
            go(to)
          }}
        >
          Answer
        </a>
      )}
    </span>
  )
}

function Since({ since }: { readonly since: number }) {
  return <time>{durationWords(wall.value - since)}</time>
}

function Pin({ row }: { readonly row: Row }) {
  const isPinned = pinned.value.has(row.terminalId)
  return (
    <button
      type="button"
      class={isPinned ? 'plain pin on' : 'plain pin'}
      aria-pressed={isPinned}
      aria-label={`Pin ${nameOf(row)}`}
      title={isPinned ? 'Pinned (p)' : 'Pin to the top (p)'}
      onClick={() => togglePin(row.terminalId)}
    >
      <Icon name="pin" />
    </button>
  )
}

const toneWords: readonly (readonly [Tone, string])[] = [
  ['asks', 'need you'],
  ['working', 'working'],
  ['idle', 'waiting'],
  ['failed', 'failed'],
  ['ended', 'ended'],
]

/** @example '1 need you, 2 working · 12k tokens' */
export function belowWords({ count, tones, tokens }: Below): string {
  const parts = toneWords.flatMap(([tone, words]) => (tones[tone] === undefined ? [] : [`${tones[tone]} ${words}`]))
  const below = count === 0 ? '' : parts.join(', ')
  return [below, tokens === null ? '' : `${shortNumber(tokens)} tokens`].filter((one) => one !== '').join(' · ')
}

function shortNumber(number: number): string {
  if (number < 1_000) return String(number)
  return number < 1_000_000 ? `${Math.round(number / 1_000)}k` : `${(number / 1_000_000).toFixed(1)}M`
}

/** Shortens a path to its last two names, which identify it best. */
function shortFolder(folder: string): string {
  const names = folder.split('/').filter((name) => name !== '')
  return names.length <= 2 ? folder : `…/${names.slice(-2).join('/')}`
}
