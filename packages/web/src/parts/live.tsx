import { useEffect, useRef, useState } from 'preact/hooks'
import { stateWords } from '../store/overview.ts'
import { connection, rows } from '../store/store.ts'

/** Says to screen readers what is worth it: who asks now, and whether the daemon is there. Never what a program prints. */
export function Live() {
  const asked = useRef<ReadonlySet<string>>(new Set())
  const [text, setText] = useState('')
  const { kind } = connection.value
  useEffect(() => {
    const asking = (rows.value ?? []).filter(({ needsPerson }) => needsPerson)
    const fresh = asking.filter(({ terminalId }) => !asked.current.has(terminalId))
    asked.current = new Set(asking.map(({ terminalId }) => terminalId))
    if (fresh.length > 0)
      setText(fresh.map((row) => `${row.name ?? row.terminalId} ${row.question ?? stateWords(row)}`).join('. '))
  }, [rows.value])
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
