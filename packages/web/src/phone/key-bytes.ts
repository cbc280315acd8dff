/** The bytes that the on-screen keys send, and the effect of Ctrl and Alt on a letter. */

export const barKeys = ['Esc', 'Tab', 'Left', 'Up', 'Down', 'Right', 'Enter'] as const
export type BarKey = (typeof barKeys)[number]

export interface Modifiers {
  readonly ctrl: boolean
  readonly alt: boolean
}

export const noModifiers: Modifiers = { ctrl: false, alt: false }

const arrows: Readonly<Partial<Record<BarKey, string>>> = { Up: 'A', Down: 'B', Right: 'C', Left: 'D' }
const plainKeys: Readonly<Partial<Record<BarKey, string>>> = { Esc: '\x1b', Tab: '\t', Enter: '\r' }

/** `modes`: the private modes that the terminal has set; mode 1 is application cursor keys. */
export function keyBytes(key: BarKey, { ctrl, alt }: Modifiers, modes: readonly number[]): string {
  const arrow = arrows[key]
  if (arrow === undefined) return `${alt ? '\x1b' : ''}${plainKeys[key] ?? ''}`
  const modifier = 1 + (alt ? 2 : 0) + (ctrl ? 4 : 0)
  if (modifier > 1) return `\x1b[1;${modifier}${arrow}`
  return `${modes.includes(1) ? '\x1bO' : '\x1b['}${arrow}`
}

/** Applies the modifiers to the first character only. The rest is sent unchanged. */
export function textBytes(text: string, { ctrl, alt }: Modifiers): string {
  const [first = '', ...rest] = text
  const made = ctrl ? controlOf(first) : first
  return `${alt && first !== '' ? '\x1b' : ''}${made}${rest.join('')}`
}

/** Characters without a control code are sent unchanged. */
function controlOf(character: string): string {
  if (/^[a-z@[\\\]^_]$/i.test(character)) return String.fromCharCode(character.toUpperCase().charCodeAt(0) & 0x1f)
  return others[character] ?? character
}

const others: Readonly<Record<string, string>> = { ' ': '\0', '?': '\x7f', '/': '\x1f', '-': '\x1f', '~': '\x1e' }
