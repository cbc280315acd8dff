/**
 * `agentpty/testing`: terminals without processes, and a clock that a test advances, for programs that build on the
 * library.
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
 * Waits depend on the clock: a test that hangs has to advance it.
 */

export {
  type Delivery,
  FakeClock,
  FakePty,
  FakePtyHost,
  type FakePtyHostOptions,
  type FakePtyOptions,
  type FakeResize,
  waitingForLine,
} from '@agentpty/protocol/testing'
export { type FakeTerminals, openFakeTerminals } from './compose/fake-terminals.ts'
export { Session } from './library/session.ts'
export { Terminals } from './library/terminals.ts'
