/**
 * `agentpty/testing`: terminals without processes, and a clock that a test turns, for those who build on the library.
 *
 * @example
 * ```ts
 * const { terminals, pty, clock } = openFakeTerminals()
 * const opening = terminals.open({ command: ['installer'], waitFor: { text: 'Go on?' } })
 * pty(1).prints('Go on? ')
 * clock.advance(50)
 * const session = await opening
 * ```
 *
 * Waits look at the clock: a test that stands still lets it advance.
 */

import { Terminals } from './faces/library/terminals.ts'
import { type FakeEngine, openFakeEngine } from './features/fake-engine.ts'
import type { FakePtyHostOptions } from './testing/index.ts'

export { Session } from './faces/library/session.ts'
export { Terminals } from './faces/library/terminals.ts'
export {
  type Delivery,
  FakeClock,
  FakePty,
  FakePtyHost,
  type FakePtyHostOptions,
  type FakePtyOptions,
  type FakeResize,
  waitingForLine,
} from './testing/index.ts'

export interface FakeTerminals extends Pick<FakeEngine, 'clock' | 'pty'> {
  /** As those of `openTerminals`; their programs print, wait and end when `pty(n)` is told to. */
  readonly terminals: Terminals
}

export function openFakeTerminals(options: FakePtyHostOptions = {}): FakeTerminals {
  const { client, clock, pty } = openFakeEngine(options)
  return { terminals: new Terminals(client, async () => {}), clock, pty }
}
