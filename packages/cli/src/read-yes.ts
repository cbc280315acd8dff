/** A yes or no that a person types at the terminal. */

import type { Stop } from '@agentpty/protocol'

export const enter = 0x0d
export const lineFeed = 0x0a
export const interrupt = 0x03
export const endOfInput = 0x04
export const backspace = 0x08
export const erase = 0x7f
const escapeKey = 0x1b
const typedMax = 16

/** The parts of the command line that a question needs. */
export interface AtTerminal {
  readonly terminal: { readonly keys: (call: (bytes: Uint8Array) => void) => Stop }
  readonly complain: (text: string) => void
  readonly onInterrupt: (call: () => void) => Stop
}

/** True only for `y` or `yes` and Enter. Anything else, ctrl+c and a signal are a no. */
export function readYes({ terminal, complain, onInterrupt }: AtTerminal): Promise<boolean> {
  return new Promise((resolve) => {
    let typed = ''
    let isOver = false
    const end = (isYes: boolean) => {
      if (isOver) return
      isOver = true
      stopKeys()
      stopInterrupts()
      complain('\r\n')
      resolve(isYes)
    }
    const stopInterrupts = onInterrupt(() => end(false))
    const stopKeys = terminal.keys((keys) => {
      for (const key of keys) {
        if (isOver) return
        if (key === enter || key === lineFeed) end(/^y(?:es)?$/i.test(typed.trim()))
        else if (key === interrupt || key === endOfInput || key === escapeKey) end(false)
        else if (key === erase || key === backspace) {
          if (typed !== '') complain('\b \b')
          typed = typed.slice(0, -1)
        } else if (key >= 0x20 && typed.length < typedMax) {
          const letter = String.fromCharCode(key)
          typed += letter
          complain(letter)
        }
      }
    })
  })
}
