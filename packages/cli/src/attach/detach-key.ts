/** Leaving with one key, as in terminalcp: when a read begins with that key. All other input is the program's. */

import type { KeyReader, Typed } from './prefix-keys.ts'

const detach = 0x02

export const detachKey: KeyReader = {
  take(bytes: Uint8Array): readonly Typed[] {
    return bytes[0] === detach ? [{ kind: 'command', key: 'd' }] : [{ kind: 'keys', bytes }]
  },
}
