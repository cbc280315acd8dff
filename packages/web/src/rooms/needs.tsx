import { computed, signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { type Steadiness, useSteady } from '../parts/use-steady.ts'
import { isPhone } from '../phone/is-phone.ts'
import { askForNotifications, permission, pushes } from '../store/attention.ts'
import { type Card, cards } from '../store/cards.ts'
import { pathOf } from '../store/route.ts'
import { needs, rows } from '../store/store.ts'
import { keysOf, NeedCard } from './need-card.tsx'
import { ScreenText } from './screen-text.tsx'

const selectedId = signal<string | null>(null)
/** The card that keys answer: the chosen one, else the oldest. */
const selected = computed(
  () => cards.value.find(({ need }) => need.needId === selectedId.value) ?? cards.value.find(isOpen) ?? null,
)
const isOpen = ({ state }: Card): boolean => state === 'open'

/** Everything that waits for a person, with its answers. */
export function NeedsRoom({ needId }: { readonly needId: string | null }) {
  const room = useRef<HTMLElement>(null)
  const steady = useSteady(room)
  useEffect(() => {
    if (needId !== null) selectedId.value = needId
  }, [needId])
  useEffect(() => {
    pressed = (key) => answerByKey(key, room.current, steady)
    return () => {
      pressed = () => false
    }
  })
  const { length } = needs.value
  const at = selected.value?.need.terminalId ?? null
  return (
    <main class="room needs-room" aria-labelledby="needs-title">
      <header class="bar">
        <h1 id="needs-title">Needs you</h1>
        <span class="count">{rows.value === null ? '' : length === 0 ? 'nothing' : `${length} open`}</span>
        <Notifications />
      </header>
      {cards.value.length === 0 ? (
        <div class="nothing">
          <p>No decisions need you.</p>
          <p class="quiet">
            Approvals, questions, dialogs, passwords and failures of all terminals appear here. Answer each with one
            key.
          </p>
        </div>
      ) : (
        <div class="queue">
          <section ref={room} class="cards" aria-label="Decisions that need you">
            {cards.value.map((card) => (
              <NeedCard
                key={card.need.needId}
                card={card}
                isSelected={card === selected.value}
                onSelect={() => {
                  selectedId.value = card.need.needId
                }}
                steady={steady}
              />
            ))}
          </section>
          <ScreenText terminalId={at} />
        </div>
      )}
    </main>
  )
}

let pressed: (key: string) => boolean = () => false

/** Handles a key pressed outside of fields. Returns whether it belongs to the selected card. */
export function cardKey(key: string): boolean {
  return pressed(key)
}

function answerByKey(key: string, room: HTMLElement | null, { ifSteady }: Steadiness): boolean {
  const card = selected.peek()
  const found = card === null || !isOpen(card) ? undefined : keysOf(card.need, room).get(key)
  if (card === null || found === undefined) return false
  if (found.isAnswer) ifSteady(card.need.needId, found.act)
  else found.act()
  return true
}

function Notifications() {
  const now = permission.value
  if (pushes.value !== null) return null
  // Browsers of phones close pages in the background: only push notifications arrive there.
  if (isPhone.value)
    return (
      <a class="button end" href={pathOf({ room: 'devices' })}>
        Notify this phone
      </a>
    )
  if (now === 'granted' || now === 'unsupported') return null
  if (now === 'denied') return <span class="quiet end">Notifications are blocked in your browser’s settings.</span>
  return (
    <button type="button" class="end" onClick={() => void askForNotifications()}>
      Notify me when I am elsewhere
    </button>
  )
}
