/** Keys that a person presses, by the names that `terminal_send_keys` takes. */

const named: Readonly<Record<string, string>> = {
  Enter: 'enter',
  Tab: 'tab',
  Escape: 'escape',
  Backspace: 'backspace',
  Delete: 'delete',
  Insert: 'insert',
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  Home: 'home',
  End: 'end',
  PageUp: 'pageup',
  PageDown: 'pagedown',
  ' ': 'space',
}

export interface Press {
  readonly key: string
  readonly ctrlKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
  readonly metaKey: boolean
}

/** Null for what is not for a terminal: modifiers alone, and the shortcuts of the system. */
export function keyOf({ key, ctrlKey, altKey, shiftKey, metaKey }: Press): string | null {
  if (metaKey) return null
  const isCharacter = [...key].length === 1
  const base = named[key] ?? (/^F\d+$/.test(key) ? key.toLowerCase() : isCharacter ? key : null)
  if (base === null) return null
  // A character already includes its shift.
  const shift = shiftKey && (!isCharacter || ctrlKey) ? ['shift'] : []
  const modifiers = [...(ctrlKey ? ['ctrl'] : []), ...(altKey ? ['alt'] : []), ...shift]
  return [...modifiers, isCharacter && ctrlKey ? base.toLowerCase() : base].join('+')
}
