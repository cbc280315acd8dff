/** Composes terminals on fakes. */

import type { FakePtyHostOptions } from '@agentpty/protocol/testing'
import { type FakeEngine, openFakeEngine } from '@agentpty/server/testing'
import { Terminals } from '../library/terminals.ts'
import { handlers } from './handlers.ts'

export interface FakeTerminals extends Pick<FakeEngine, 'clock' | 'pty'> {
  /** Like those of `openTerminals`; their programs print, wait and end when `pty(n)` says so. */
  readonly terminals: Terminals
}

export function openFakeTerminals(options: FakePtyHostOptions = {}): FakeTerminals {
  const { client, clock, pty } = openFakeEngine(options, () => [], { handlers })
  return { terminals: new Terminals(client, async () => {}), clock, pty }
}
