import { useEffect, useMemo } from 'preact/hooks'
import { client, mayChange, sayError } from '../store/store.ts'
import { PageLease } from '../terminal/page-lease.ts'

/** The leases that views use, and by how many each is used: the bar of a terminal and its screen share one. */
const leases = new Map<string, { readonly lease: PageLease; users: number }>()

function sharedLease(terminalId: string) {
  const shared = leases.get(terminalId) ?? {
    lease: new PageLease({ terminalId, client, failed: sayError }),
    users: 0,
  }
  leases.set(terminalId, shared)
  return shared
}

/** The lease of a terminal, while a view shows it. */
export function useLease(terminalId: string): PageLease {
  const shared = useMemo(() => sharedLease(terminalId), [terminalId])
  useEffect(() => {
    shared.users += 1
    return () => {
      shared.users -= 1
      if (shared.users > 0) return
      shared.lease.dispose()
      leases.delete(terminalId)
    }
  }, [shared])
  return shared.lease
}

/** Ctrl+Shift+G takes and returns the lease, anywhere in the page. */
export function useLeaseKey(lease: PageLease): void {
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
}
