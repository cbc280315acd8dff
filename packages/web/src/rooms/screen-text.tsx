import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { client, rows } from '../store/store.ts'

/**
 * A terminal's screen as text, read again when its row changes. Reading it does not count as a person's visit, so a failure stays on the
 * list.
 */
export function ScreenText({ terminalId }: { readonly terminalId: string | null }) {
  const text = useSignal('')
  const row = rows.value?.find((one) => one.terminalId === terminalId) ?? null
  const open = client.value
  useEffect(() => {
    text.value = ''
  }, [terminalId])
  useEffect(() => {
    if (open === null || terminalId === null) return
    const over = new AbortController()
    open.call('screenshot', { terminalId, format: 'plain' }, { signal: over.signal }).then(
      ({ screen }) => {
        if (!over.signal.aborted) text.value = screen
      },
      // The terminal was closed or the connection was lost; both are reported elsewhere.
      () => {},
    )
    return () => over.abort()
  }, [open, terminalId, row])
  if (terminalId === null) return <aside class="peek empty">Its terminal is not open yet.</aside>
  return (
    <aside class="peek" aria-label={`Screen of ${terminalId}`}>
      <p class="peek-head">
        <span>{row?.name ?? terminalId}</span>
        <span class="quiet">{row?.program}</span>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling elements must be reachable by keyboard */}
      <pre tabIndex={0} style={{ '--cols': row?.size.cols ?? 80 }}>
        {text.value}
      </pre>
    </aside>
  )
}
