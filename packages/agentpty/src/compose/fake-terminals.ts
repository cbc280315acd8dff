/** Composes terminals on fakes. */

import { Terminals } from '../faces/library/terminals.ts'
import { type FakeEngine, openFakeEngine } from '../server/fake-engine.ts'
import type { FakePtyHostOptions } from '../testing/index.ts'
import { handlers } from './handlers.ts'

export interface FakeTerminals extends Pick<FakeEngine, 'clock' | 'pty'> {
  /** Like those of `openTerminals`; their programs print, wait and end when `pty(n)` says so. */
  readonly terminals: Terminals
}

export function openFakeTerminals(options: FakePtyHostOptions = {}): FakeTerminals {
  const { client, clock, pty } = openFakeEngine(options, () => [], { handlers })
  return { terminals: new Terminals(client, async () => {}), clock, pty }
}
