import { useEffect, useRef, useState } from 'preact/hooks'
import { connection, needs } from '../store/store.ts'

/** Says to screen readers what is worth it: who asks now, and whether the daemon is there. Never what a program prints. */
export function Live() {
  const asked = useRef<ReadonlySet<string>>(new Set())
  const [text, setText] = useState('')
  const { kind } = connection.value
  useEffect(() => {
    const fresh = needs.value.filter(({ needId }) => !asked.current.has(needId))
    asked.current = new Set(needs.value.map(({ needId }) => needId))
    if (fresh.length > 0) setText(fresh.map(({ title, text }) => `${title} needs you: ${text}`).join('. '))
  }, [needs.value])
  useEffect(() => {
    if (kind === 'lost') setText('The connection is lost. It is opened again by itself.')
    if (kind === 'open') setText('Connected.')
  }, [kind])
  return (
    <p class="unseen" role="status" aria-live="polite">
      {text}
    </p>
  )
}
