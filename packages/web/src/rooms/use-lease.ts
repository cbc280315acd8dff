import { useEffect, useMemo } from 'preact/hooks'
import { client, mayChange, sayError } from '../store/store.ts'
import { PageLease } from '../terminal/page-lease.ts'

/** The lease of the terminal in focus, with a page-wide key that takes and returns it. */
export function useLease(terminalId: string): PageLease {
  const lease = useMemo(() => new PageLease({ terminalId, client, failed: sayError }), [terminalId])
  useEffect(() => () => lease.dispose(), [lease])
  useEffect(() => {
    if (!mayChange.value) return
    const over = new AbortController()
    const pressed = (event: KeyboardEvent) => {
      const { code, ctrlKey, shiftKey } = event
      if (!ctrlKey || !shiftKey || code !== 'KeyG') return
      event.preventDefault()
      event.stopPropagation()
      void lease.toggle()
    }
    document.addEventListener('keydown', pressed, { capture: true, signal: over.signal })
    return () => over.abort()
  }, [lease, mayChange.value])
  return lease
}
