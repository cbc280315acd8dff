import type { Signal } from '@preact/signals'
import { type BarKey, keyBytes, type Modifiers, noModifiers, textBytes } from '../../phone/key-bytes.ts'

export interface KeyBarProps {
  /** The modifiers that apply to the next key. */
  readonly held: Signal<Modifiers>
  readonly modes: readonly number[]
  readonly type: (text: string) => void
}

const keysFirst: readonly (readonly [BarKey, string])[] = [
  ['Esc', 'Esc'],
  ['Tab', 'Tab'],
]
const keysThen: readonly (readonly [BarKey, string])[] = [
  ['Left', '←'],
  ['Up', '↑'],
  ['Down', '↓'],
  ['Right', '→'],
  ['Enter', '⏎'],
]
const spoken: Readonly<Record<BarKey, string>> = {
  Esc: 'Esc',
  Tab: 'Tab',
  Left: 'Arrow left',
  Up: 'Arrow up',
  Down: 'Arrow down',
  Right: 'Arrow right',
  Enter: 'Enter',
}
const characters = ['/', '|', '~', '-'] as const

/** The keys that an on-screen keyboard lacks. */
export function KeyBar({ held, modes, type }: KeyBarProps) {
  const press = (key: BarKey) => {
    type(keyBytes(key, held.value, modes))
    held.value = noModifiers
  }
  const write = (text: string) => {
    type(textBytes(text, held.value))
    held.value = noModifiers
  }
  const hold = (name: keyof Modifiers) => {
    held.value = { ...held.value, [name]: !held.value[name] }
  }
  const keyOf = ([key, label]: readonly [BarKey, string]) => (
    <BarButton key={key} label={label} spoken={spoken[key]} onPress={() => press(key)} />
  )
  return (
    <div class="key-bar" role="toolbar" aria-label="Keys">
      {keysFirst.map(keyOf)}
      <BarButton label="Ctrl" spoken="Ctrl" isHeld={held.value.ctrl} onPress={() => hold('ctrl')} />
      <BarButton label="Alt" spoken="Alt" isHeld={held.value.alt} onPress={() => hold('alt')} />
      {keysThen.map(keyOf)}
      <BarButton label="^C" spoken="Ctrl C, interrupt" onPress={() => type('\x03')} />
      <BarButton label="^D" spoken="Ctrl D, end of input" onPress={() => type('\x04')} />
      {characters.map((one) => (
        <BarButton key={one} label={one} spoken={one} onPress={() => write(one)} />
      ))}
    </div>
  )
}

interface BarButtonProps {
  readonly label: string
  readonly spoken: string
  /** Present for a key that stays down until the next one. */
  readonly isHeld?: boolean
  readonly onPress: () => void
}

function BarButton({ label, spoken: name, isHeld, onPress }: BarButtonProps) {
  return (
    <button
      type="button"
      aria-label={name}
      aria-pressed={isHeld}
      // The field keeps the focus, so that the on-screen keyboard stays open.
      onPointerDown={(event) => event.preventDefault()}
      onClick={onPress}
    >
      {label}
    </button>
  )
}
