import { effect } from '@preact/signals'
import { isInstalled, permission } from '../store/attention.ts'
import { client, mayChange, sayError } from '../store/store.ts'

/** Keeps push notifications working where they are possible. Other pages do not load their code. */
export function startPush(): void {
  effect(() => {
    const open = client.value
    if (open === null || !mayChange.peek() || (permission.peek() !== 'granted' && !isInstalled())) return
    import('./push.ts').then(({ renew }) => renew(open)).catch(sayError)
  })
}
