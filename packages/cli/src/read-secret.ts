/** Reads a line that a person types without an echo. */

import type { Terminal } from './command.ts'
import { backspace, endOfInput, enter, erase, interrupt, lineFeed } from './read-yes.ts'

const kill = 0x15

/** Null when they give up: ctrl+c, or ctrl+d on an empty line. */
export function readSecret(terminal: Terminal): Promise<string | null> {
  return new Promise((resolve) => {
    let typed = Buffer.alloc(0)
    const end = (text: string | null) => {
      stop()
      resolve(text)
    }
    const stop = terminal.keys((keys) => {
      for (const key of keys) {
        if (key === enter || key === lineFeed) return end(typed.toString('utf8'))
        if (key === interrupt || (key === endOfInput && typed.length === 0)) return end(null)
        if (key === erase || key === backspace) typed = Buffer.from([...typed.toString('utf8')].slice(0, -1).join(''))
        else if (key === kill) typed = Buffer.alloc(0)
        else typed = Buffer.concat([typed, Buffer.from([key])])
      }
      return undefined
    })
  })
}
