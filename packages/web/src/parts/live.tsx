import { effect, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Announcer } from '../store/announcer.ts'
import { connection, focused, needs, rows } from '../store/store.ts'
import { needWords, turnWords } from '../store/turn-words.ts'
import { systemClock } from '../system-clock.ts'

/** The count makes each announcement a new element, so that repeated text is read out again. */
const announcement = signal({ count: 0, words: '' })

const announcer = new Announcer({
  clock: systemClock,
  say: (words) => {
    announcement.value = { count: announcement.peek().count + 1, words }
  },
})

/** Announces important changes to screen readers: turns, requests, failures and the state of the connection. */
export function Live() {
  useEffect(listen, [])
  const { count, words } = announcement.value
  return (
    <p class="unseen" role="status" aria-live="polite">
      <span key={count}>{words}</span>
    </p>
  )
}

function listen(): () => void {
  let previousRows = rows.peek() ?? []
  let previousNeeds = needs.peek()
  let state = connection.peek().kind
  const stopTurns = effect(() => {
    const now = rows.value ?? []
    announcer.add(turnWords(previousRows, now, { focusedId: focused.peek()?.terminalId ?? null }))
    previousRows = now
  })
  const stopNeeds = effect(() => {
    announcer.add(needWords(previousNeeds, needs.value))
    previousNeeds = needs.value
  })
  const stopConnection = effect(() => {
    const { kind } = connection.value
    if (kind === state) return
    state = kind
    if (kind === 'lost') announcer.add(['The connection is lost. Reconnecting automatically.'])
    if (kind === 'open') announcer.add(['Connected.'])
  })
  return () => {
    stopTurns()
    stopNeeds()
    stopConnection()
  }
}
