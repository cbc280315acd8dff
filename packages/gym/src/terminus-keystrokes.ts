/** Translates keystrokes of Terminus-2: a name of tmux alone is a key; all else is text, byte for byte, in which a line break is Enter. */

import { keyAliases, keyTable } from '@agentpty/engine/keys'

export type Keystrokes =
  | { readonly kind: 'wait' }
  /** A key as `terminal_send_keys` takes it: `ctrl+c`. */
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'text'; readonly text: string }

/** The key names of tmux. Our other names are ordinary words that a model types: "return" or "next". */
const tmuxNames: ReadonlySet<string> = new Set([
  ...['enter', 'kpenter', 'escape', 'tab', 'btab', 'space', 'bspace', 'up', 'down', 'left', 'right', 'home', 'end'],
  ...['ic', 'insert', 'dc', 'delete', 'npage', 'pagedown', 'pgdn', 'ppage', 'pageup', 'pgup'],
  ...['f1', 'f2', 'f3', 'f4', 'f5', 'f6', 'f7', 'f8', 'f9', 'f10', 'f11', 'f12'],
])

const modifiers: ReadonlyMap<string, string> = new Map([
  ['C', 'ctrl'],
  ['M', 'alt'],
  ['S', 'shift'],
])

/** @example translateKeystrokes('C-c') // { kind: 'key', key: 'ctrl+c' } */
export function translateKeystrokes(keystrokes: string): Keystrokes {
  if (keystrokes === '') return { kind: 'wait' }
  const key = keyOf(keystrokes)
  return key === null ? { kind: 'text', text: keystrokes } : { kind: 'key', key }
}

/** Null for what is text. */
function keyOf(name: string): string | null {
  const [, caret] = /^\^([A-Za-z@[\\\]_])$/.exec(name) ?? []
  if (caret !== undefined) return `ctrl+${caret.toLowerCase()}`
  const [, held = '', base = ''] = /^((?:[CMS]-)*)([!-~]|[A-Za-z][A-Za-z\d]{1,7})$/.exec(name) ?? []
  if (base === '') return null
  const names = held.split('-').flatMap((letter) => modifiers.get(letter) ?? [])
  if (base.length > 1) return namedKey(base, names)
  // A single character is text, and shift makes another one of it.
  if (names.length === 0 || names.includes('shift')) return null
  const isLetter = /[A-Za-z]/.test(base)
  if (names.includes('ctrl') && !isLetter && !'@[\\]^_?'.includes(base)) return null
  return [...names, names.includes('ctrl') ? base.toLowerCase() : base].join('+')
}

function namedKey(base: string, names: readonly string[]): string | null {
  const plain = base.toLowerCase()
  if (!tmuxNames.has(plain)) return null
  if (plain === 'btab') return names.length === 0 ? 'shift+tab' : null
  const key = keyTable.has(plain) ? plain : keyAliases.get(plain)
  return key === undefined ? null : [...names, key].join('+')
}
