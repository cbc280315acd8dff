import { lasted } from '@agentpty/protocol/recording'
import { endOf, whatOf, whoOf } from '@agentpty/protocol/timeline'
import { computed } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Player } from '../replay/player.ts'
import { type GroupName, groups, type ShownItem, type ShownTimeline } from '../replay/timeline.ts'

export interface TimelineListProps {
  readonly timeline: ShownTimeline
  /** The kinds that can be filtered; all by default. */
  readonly offered?: readonly GroupName[]
  /** Null while the recording is loaded. */
  readonly player: Player | null
  readonly onOlder?: () => void
}

/** The timeline of events. A click shows the screen at that time. */
export function TimelineList({ timeline, offered, player, onOlder }: TimelineListProps) {
  const { shown, hidden, hasOlder, isLoading, missing } = timeline
  const shownGroups = groups.filter(({ name }) => offered?.includes(name) !== false)
  const startedAt = timeline.startedAt.value ?? 0
  // Renders only when another item becomes current, not with every frame played.
  const current = useMemo(
    () => computed(() => currentOf(shown.value, startedAt, player?.at.value ?? null)),
    [shown, startedAt, player],
  )
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    const item = list.current?.querySelector('[aria-current]')
    item?.scrollIntoView({ block: 'nearest' })
  }, [current.value])
  return (
    <aside class="timeline" aria-label="Events">
      {shownGroups.length > 0 && (
        <fieldset class="kinds" aria-label="Show">
          {shownGroups.map(({ name }) => (
            <button
              key={name}
              type="button"
              class="kind"
              aria-pressed={!hidden.value.has(name)}
              onClick={() => timeline.toggle(name)}
            >
              {name}
            </button>
          ))}
        </fieldset>
      )}
      <ol ref={list} class="items">
        {hasOlder.value && (
          <li>
            <button type="button" class="older" disabled={isLoading.value} onClick={onOlder}>
              Older events
            </button>
          </li>
        )}
        {missing.value !== undefined && <li class="gone">Older {missing.value.join(' and ')}: no longer stored.</li>}
        {shown.value.map((item, index) => (
          <Item
            key={`${item.at} ${index}`}
            item={item}
            at={item.at - startedAt}
            isCurrent={index === current.value}
            onSeek={(at) => player?.seek(at)}
          />
        ))}
      </ol>
      {shown.value.length === 0 && !isLoading.value && <p class="quiet none">No events.</p>}
    </aside>
  )
}

/** Returns the last item at or before that time; -1 before the first. */
function currentOf(items: readonly ShownItem[], startedAt: number, at: number | null): number {
  return at === null ? -1 : items.findLastIndex((item) => item.at - startedAt <= at)
}

interface ItemProps {
  readonly item: ShownItem
  /** In milliseconds from the start of the program. */
  readonly at: number
  readonly isCurrent: boolean
  readonly onSeek: (at: number) => void
}

function Item({ item, at, isCurrent, onSeek }: ItemProps) {
  return (
    <li>
      <button
        type="button"
        class={`item ${toneOf(item)}`}
        aria-current={isCurrent ? 'true' : undefined}
        onClick={() => onSeek(at)}
      >
        <time>{lasted(Math.max(0, at) / 1_000)}</time>
        <span class="what">{item.kind === 'note' ? item.text : whatOf(item)}</span>
        <span class="who">{besides(item)}</span>
      </button>
    </li>
  )
}

function besides(item: ShownItem): string {
  if (item.kind === 'note') return 'recorder'
  return item.kind === 'command' ? endOf(item) : whoOf(item)
}

function toneOf(item: ShownItem): string {
  if (item.kind === 'command') return item.exitCode === null || item.exitCode === 0 ? 'command' : 'command failed'
  if (item.kind === 'typed') return item.isPerson ? 'typed person' : 'typed'
  return item.kind
}
