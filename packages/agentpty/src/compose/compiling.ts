/**
 * When V8 compiles the daemon's functions well. They are called often, and rarely in loops: at its own threshold, in the first thousand
 * calls it spends more on compiling each of them than they need themselves. A daemon that goes on gets it back many times over.
 */

import { setFlagsFromString } from 'node:v8'
import type { Guard } from '@agentpty/protocol/call'

// Floods, which do loop, pass three times the first at once.
const [atFirst, later] = [400_000, 20_000] // bytes of bytecode that a function runs through before V8 looks at it
const callsMin = 400 // until then most functions are called for the first times; a tool’s call is two

export function compileLater(): void {
  setFlagsFromString(`--interrupt-budget=${atFirst}`)
  // Between two calls the processor forgets what it has interpreted; plain machine code is less to fetch.
  setFlagsFromString('--always-sparkplug')
}

/** Refuses nothing: it counts. */
export function compileWellOnceUsed(): Guard {
  let calls = 0
  return () => {
    calls++
    if (calls === callsMin) setFlagsFromString(`--interrupt-budget=${later}`)
  }
}
