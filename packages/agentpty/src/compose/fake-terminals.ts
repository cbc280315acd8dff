/** Composes terminals on fakes. */

import type { FakeClock, FakePty, FakePtyHostOptions } from '@agentpty/protocol/testing'
import { openFakeEngine } from '@agentpty/server/testing'
import { Terminals } from '../library/terminals.ts'
import { handlers } from './handlers.ts'

export interface FakeTerminals {
  /** Like those of `openTerminals`; their programs print, wait and end when `pty(n)` says so. */
  readonly terminals: Terminals
  readonly clock: FakeClock
  /** The terminal of the program that was started as the n-th, from 1 on. */
  pty(number: number): FakePty
}

export function openFakeTerminals(options: FakePtyHostOptions = {}): FakeTerminals {
  const { client, clock, pty } = openFakeEngine(options, () => [], { handlers })
  return { terminals: new Terminals(client, async () => {}), clock, pty }
}
