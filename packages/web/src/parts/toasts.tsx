import { dismiss, toasts } from '../store/store.ts'
import { Icon } from './icons.tsx'

/** Short messages about recent events. A screen reader reads each one once, politely. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, isError }) => (
        <p key={id} class={isError ? 'toast error' : 'toast'}>
          <span>{text}</span>
          <button type="button" class="plain dismiss" aria-label="Dismiss" onClick={() => dismiss(id)}>
            <Icon name="close" />
          </button>
        </p>
      ))}
    </div>
  )
}
