import { type Signal, useSignal } from '@preact/signals'
import { Icon } from '../../parts/icons.tsx'
import type { Modifiers } from '../../phone/key-bytes.ts'
import { type Line, useLine } from './use-line.ts'

export interface LineEditorProps {
  readonly terminalId: string
  /** The modifiers that apply to the next key. */
  readonly held: Signal<Modifiers>
  readonly type: (text: string) => void
  /** True while the program asks for a secret. */
  readonly isSecret: boolean
}

/** A field to write a line and send it as a whole. Secrets are hidden, sent by a separate call and never stored. */
export function LineEditor({ terminalId, held, type, isSecret }: LineEditorProps) {
  const wantsSecret = useSignal(false)
  const isListed = useSignal(false)
  const hides = isSecret || wantsSecret.value
  const line = useLine({ terminalId, held, type, hides })
  const send = (isEntered: boolean) => {
    line.send(isEntered)
    wantsSecret.value = false
    isListed.value = false
  }
  const pick = (text: string) => {
    line.set(text)
    isListed.value = false
    line.field.current?.focus()
  }
  const toggle = (shown: Signal<boolean>) => () => {
    shown.value = !shown.value
  }
  return (
    <div class="line-editor">
      {isListed.value && !hides && <OwnLineList lines={line.own.newest} onPick={pick} />}
      <form
        autocomplete="off"
        onSubmit={(event) => {
          event.preventDefault()
          send(true)
        }}
      >
        <EditorButton icon="lock" label="Secret" isOn={hides} onPress={toggle(wantsSecret)} />
        <EditorButton
          icon="earlier"
          label="Lines that you have sent"
          isOn={isListed.value}
          onPress={toggle(isListed)}
        />
        <Field line={line} hides={hides} />
        <EditorButton icon="send" label="Send without Enter" onPress={() => send(false)} />
        <button type="submit" class="main" onPointerDown={keepFocus}>
          Send
        </button>
      </form>
    </div>
  )
}

function Field({ line: { field, changed, pressed }, hides }: { readonly line: Line; readonly hides: boolean }) {
  const shared = {
    ref: (made: HTMLInputElement | null) => {
      field.current = made
      // Browsers know it only as an attribute, or as a boolean property of the same name.
      made?.setAttribute('autocorrect', 'off')
    },
    enterkeyhint: 'send',
    autocapitalize: 'off',
    autocomplete: 'off',
    spellcheck: false,
    onInput: changed,
    onKeyDown: pressed,
  } as const
  // Two separate fields, so that text never moves between them.
  return hides ? (
    <input key="secret" type="password" {...shared} aria-label="Secret answer" placeholder="hidden, not stored" />
  ) : (
    <input key="line" type="text" {...shared} aria-label="Line to type" placeholder="type a line" />
  )
}

/** Keeps the on-screen keyboard open. */
const keepFocus = (event: Event): void => event.preventDefault()

interface EditorButtonProps {
  readonly icon: 'lock' | 'earlier' | 'send'
  readonly label: string
  /** Present for a button that stays down. */
  readonly isOn?: boolean
  readonly onPress: () => void
}

function EditorButton({ icon, label, isOn, onPress }: EditorButtonProps) {
  return (
    <button
      type="button"
      class="plain"
      aria-label={label}
      aria-pressed={isOn}
      onPointerDown={keepFocus}
      onClick={onPress}
    >
      <Icon name={icon} />
    </button>
  )
}

interface OwnLineListProps {
  readonly lines: readonly string[]
  readonly onPick: (line: string) => void
}

function OwnLineList({ lines, onPick }: OwnLineListProps) {
  if (lines.length === 0)
    return <p class="own-lines quiet">Nothing yet. Lines you send are listed here until you leave the terminal.</p>
  return (
    <ul class="own-lines" aria-label="Lines that you have sent">
      {lines.map((line) => (
        <li key={line}>
          <button type="button" class="plain" onPointerDown={keepFocus} onClick={() => onPick(line)}>
            {line}
          </button>
        </li>
      ))}
    </ul>
  )
}
