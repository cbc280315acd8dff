import type { Signal } from '@preact/signals'
import type { RefObject, TargetedInputEvent, TargetedKeyboardEvent } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { type Modifiers, noModifiers, textBytes } from '../../phone/key-bytes.ts'
import { insertedInto, OwnLines } from '../../phone/own-lines.ts'
import { attempt } from '../../store/store.ts'

export interface LineParts {
  readonly terminalId: string
  readonly held: Signal<Modifiers>
  readonly type: (text: string) => void
  readonly hides: boolean
}

export interface Line {
  readonly field: RefObject<HTMLInputElement | null>
  readonly own: OwnLines
  readonly set: (text: string) => void
  readonly send: (isEntered: boolean) => void
  readonly changed: (event: TargetedInputEvent<HTMLInputElement>) => void
  readonly pressed: (event: TargetedKeyboardEvent<HTMLInputElement>) => void
}

/** The text in the field, and where it is sent. */
export function useLine({ terminalId, held, type, hides }: LineParts): Line {
  const field = useRef<HTMLInputElement>(null)
  const own = useMemo(() => new OwnLines(), [terminalId])
  const before = useRef('')
  const set = (text: string) => {
    if (field.current !== null) field.current.value = text
    before.current = text
  }
  // Text started as a secret is never sent as a line, and vice versa.
  useEffect(() => set(''), [hides, terminalId])
  const send = (isEntered: boolean) => {
    const text = field.current?.value ?? ''
    set('')
    if (hides && text !== '') {
      void attempt((client) => client.call('secret', { terminalId, text, newline: isEntered }))
      return
    }
    own.add(text)
    type(`${text}${isEntered ? '\r' : ''}`)
  }
  const changed = ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) => {
    const { value } = currentTarget
    const { ctrl, alt } = held.value
    const fresh = ctrl || alt ? insertedInto(before.current, value) : ''
    if (fresh === '') {
      before.current = value
      return
    }
    currentTarget.value = before.current
    type(textBytes(fresh, held.value))
    held.value = noModifiers
  }
  const pressed = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    const { key, currentTarget } = event
    // The field is empty, so the key is meant for the program.
    if (key === 'Backspace' && currentTarget.value === '') type('\x7f')
    if (hides || (key !== 'ArrowUp' && key !== 'ArrowDown')) return
    const line = own.step(key === 'ArrowUp' ? 1 : -1, currentTarget.value)
    if (line !== null) set(line)
    event.preventDefault()
  }
  return { field, own, set, send, changed, pressed }
}
