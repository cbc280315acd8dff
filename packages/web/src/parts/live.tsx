import { effect, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Announcer } from '../store/announcer.ts'
import { connection, focused, needs, rows } from '../store/store.ts'
import { needWords, turnWords } from '../store/turn-words.ts'
import { systemClock } from '../system-clock.ts'

/** Each is an element of its own, so that the same words are said again. */
const said = signal({ count: 0, words: '' })

const announcer = new Announcer({
  clock: systemClock,
  say: (words) => {
    said.value = { count: said.peek().count + 1, words }
  },
})

/** Says to screen readers what is worth it: whose turn it is, who asks, what has failed, and whether the daemon is there. */
export function Live() {
  useEffect(listen, [])
  const { count, words } = said.value
  return (
    <p class="unseen" role="status" aria-live="polite">
      <span key={count}>{words}</span>
    </p>
  )
}

function listen(): () => void {
  let [knownRows, knownNeeds, state] = [rows.peek() ?? [], needs.peek(), connection.peek().kind]
  const stopTurns = effect(() => {
    const now = rows.value ?? []
    announcer.add(turnWords(knownRows, now, { focusedId: focused.peek()?.terminalId ?? null }))
    knownRows = now
  })
  const stopNeeds = effect(() => {
    announcer.add(needWords(knownNeeds, needs.value))
    knownNeeds = needs.value
  })
  const stopConnection = effect(() => {
    const { kind } = connection.value
    if (kind === state) return
    state = kind
    if (kind === 'lost') announcer.add(['The connection is lost. It is opened again by itself.'])
    if (kind === 'open') announcer.add(['Connected.'])
  })
  return () => {
    stopTurns()
    stopNeeds()
    stopConnection()
  }
}
