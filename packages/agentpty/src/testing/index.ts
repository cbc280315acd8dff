/**
 * Fakes of the engine's ports, for programs that build on it: a clock that a test advances, and terminals without
 * processes. They know the contracts and nothing else.
 *
 * @example
 * ```ts
 * const clock = new FakeClock()
 * const host = new FakePtyHost(clock)
 * const engine = host.connect()
 * ```
 */

export { FakeClock } from './fake-clock.ts'
export { waitingForLine } from './fake-facts.ts'
export { type Delivery, FakePty, type FakePtyOptions, type FakeResize } from './fake-pty.ts'
export { FakePtyHost, type FakePtyHostOptions } from './fake-pty-host.ts'
