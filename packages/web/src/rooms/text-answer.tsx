import type { Need } from '@agentpty/protocol/needs'
import type { TargetedKeyboardEvent } from 'preact'
import { useRef } from 'preact/hooks'
import type { Steadiness } from '../parts/use-steady.ts'
import { type } from '../store/answers.ts'

/** A field for a program's question. A secret is hidden, and is not stored after it is sent. */
export function TextAnswer({ need, steady }: { readonly need: Need; readonly steady: Steadiness }) {
  const field = useRef<HTMLInputElement>(null)
  const isSecret = need.isSecret === true
  const send = () => {
    const input = field.current
    if (input === null || (isSecret && input.value === '')) return
    const { value } = input
    input.value = ''
    void type(need, value)
  }
  const shared = {
    ref: field,
    autocomplete: 'off',
    spellcheck: false,
    onKeyDown: ({ key, currentTarget }: TargetedKeyboardEvent<HTMLInputElement>) => {
      if (key === 'Escape') currentTarget.closest<HTMLElement>('article')?.focus()
    },
  } as const
  return (
    <form
      class="answers text"
      autocomplete="off"
      onSubmit={(event) => {
        event.preventDefault()
        steady.ifSteady(need.needId, send)
      }}
    >
      {isSecret ? (
        <input type="password" {...shared} aria-label="Secret answer" placeholder="hidden, not stored" />
      ) : (
        <input type="text" {...shared} aria-label="Answer" placeholder="answer" />
      )}
      <button type="submit" class="main">
        Type it
      </button>
      <kbd title="To the field">i</kbd>
    </form>
  )
}
