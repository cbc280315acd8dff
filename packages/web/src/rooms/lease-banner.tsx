import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../parts/icons.tsx'
import { mayChange, needs } from '../store/store.ts'
import { systemClock } from '../system-clock.ts'
import type { PageLease } from '../terminal/page-lease.ts'

export interface LeaseBannerProps {
  readonly terminalId: string
  readonly lease: PageLease
  /** Returns the focus to the terminal. */
  readonly onDone: () => void
}

/** Shows who may type, unless everyone may. */
export function LeaseBanner({ terminalId, lease: own, onDone }: LeaseBannerProps) {
  const { mayType = 'both', holder = null, reason = null } = own.lease.value ?? {}
  const toggle = () => void own.toggle().then(onDone)
  if (own.isMine.value)
    return (
      <section class="lease mine" aria-label="Who may type">
        <Icon name="person" />
        <p>
          <strong role="status">You have taken over. Agents cannot type.</strong> <TimeLeft endsAt={own.endsAt.value} />
          {own.news.value !== null && <span class="news">{own.news.value}</span>}
        </p>
        <button type="button" aria-keyshortcuts="Control+Shift+G" onClick={toggle}>
          Give back <kbd>Ctrl+Shift+G</kbd>
        </button>
      </section>
    )
  const wanted = needs.value.find((need) => need.kind === 'takeOver' && need.terminalId === terminalId)
  const words =
    mayType === 'person'
      ? `Taken over by ${holder ?? 'another person'}${reason === null ? '' : `: ${reason}`}. Agents cannot type.`
      : mayType === 'agent'
        ? 'Only agents type here.'
        : wanted === undefined
          ? null
          : `${wanted.askedBy ?? 'An agent'} asks you to take over: ${wanted.text}`
  if (words === null) return null
  return (
    <section class={mayType === 'both' ? 'lease wanted' : 'lease'} aria-label="Who may type">
      <Icon name={mayType === 'agent' ? 'lock' : 'person'} />
      <p role="status">{words}</p>
      {mayChange.value && (
        <button type="button" aria-keyshortcuts="Control+Shift+G" onClick={toggle}>
          Take over <kbd>Ctrl+Shift+G</kbd>
        </button>
      )}
    </section>
  )
}

function TimeLeft({ endsAt }: { readonly endsAt: number }) {
  const [now, setNow] = useState(systemClock.now())
  useEffect(() => systemClock.callAfter(1_000, () => setNow(systemClock.now())), [now])
  const seconds = Math.max(0, Math.round((endsAt - now) / 1_000))
  return <span class="left">{seconds} s left. Using the terminal extends it.</span>
}
