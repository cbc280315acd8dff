/** What a person types who leaves with one key, as terminalcp has it: when a read begins with it. All else is the program's. */

import type { KeyReader, Typed } from './prefix-keys.ts'

const detach = 0x02

export const detachKey: KeyReader = {
  take(bytes: Uint8Array): readonly Typed[] {
    return bytes[0] === detach ? [{ kind: 'command', key: 'd' }] : [{ kind: 'keys', bytes }]
  },
}
