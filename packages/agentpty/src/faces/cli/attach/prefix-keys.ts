/**
 * What a person who is attached types: everything belongs to the program, but what follows the prefix key. Pressed
 * twice it is the program's as well.
 */

export const prefixName = 'ctrl+]'
const prefix = 0x1d

export type Typed =
  | { readonly kind: 'keys'; readonly bytes: Uint8Array }
  /** The prefix was pressed: what comes next is for us. */
  | { readonly kind: 'prefix' }
  | { readonly kind: 'command'; readonly key: string }

export interface KeyReader {
  /** In the order in which it was typed. */
  take(bytes: Uint8Array): readonly Typed[]
}

export class PrefixKeys implements KeyReader {
  #isPending = false

  /** In the order in which it was typed. */
  take(bytes: Uint8Array): readonly Typed[] {
    const typed: Typed[] = []
    let from = 0
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0
      if (this.#isPending) {
        this.#isPending = false
        typed.push(
          byte === prefix
            ? { kind: 'keys', bytes: Uint8Array.of(prefix) }
            : { kind: 'command', key: String.fromCharCode(byte) },
        )
        from = at + 1
      } else if (byte === prefix) {
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
