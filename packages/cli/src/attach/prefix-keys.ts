import { esc } from '@agentpty/protocol/escapes'

// Input of an attached person: everything belongs to the program but the key that follows the prefix key. The prefix
// pressed twice is the program's as well.

/** @example prefixByte('ctrl+]') // 0x1d */
export function prefixByte(name: string): number {
  return (name.at(-1) ?? ']').toUpperCase().charCodeAt(0) & 0x1f
}

export type Typed =
  | { readonly kind: 'keys'; readonly bytes: Uint8Array }
  /** The prefix was pressed: the next key is for us. */
  | { readonly kind: 'prefix' }
  | { readonly kind: 'command'; readonly key: string }

export interface KeyReader {
  /** In the order in which it was typed. */
  take(bytes: Uint8Array): readonly Typed[]
}

export class PrefixKeys implements KeyReader {
  readonly #prefix: number
  #isPending = false

  constructor(prefix: number) {
    this.#prefix = prefix
  }

  take(bytes: Uint8Array): readonly Typed[] {
    const typed: Typed[] = []
    let from = 0
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0
      if (this.#isPending) {
        this.#isPending = false
        typed.push(
          byte === this.#prefix
            ? { kind: 'keys', bytes: Uint8Array.of(byte) }
            : { kind: 'command', key: String.fromCharCode(byte) },
        )
        from = at + 1
      } else if (byte === this.#prefix) {
        if (at > from) typed.push({ kind: 'keys', bytes: bytes.subarray(from, at) })
        typed.push({ kind: 'prefix' })
        this.#isPending = true
        from = at + 1
      }
    }
    if (from < bytes.length) typed.push({ kind: 'keys', bytes: bytes.subarray(from) })
    return typed
  }
}

const detach = 0x02

/** Leaving with one key, as in terminalcp: when a read begins with that key. All other input is the program's. */
export const detachKey: KeyReader = {
  take(bytes: Uint8Array): readonly Typed[] {
    return bytes[0] === detach ? [{ kind: 'command', key: 'd' }] : [{ kind: 'keys', bytes }]
  },
}

/** A key that sends a sequence, or one character. */
const oneKey = new RegExp(String.raw`${esc}(?:\[[0-9;]*[A-Za-z~]|O[A-Z])|[\s\S]`, 'gu')

/** Splits the input of a person's keyboard into keys. */
export function keysIn(text: string): readonly string[] {
  return text.match(oneKey) ?? []
}
