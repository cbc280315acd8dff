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

export { adapterOfCommand } from '../agents/adapter.ts'
export { AgentsSettings, adaptersFrom } from '../agents/agent-settings.ts'
export { noHooks, ownHooks } from '../agents/hooks.ts'
export type { AgentName } from '../agents/roster.ts'
export type { CallOptions } from '../call/call-context.ts'
export { resetKinds } from '../gym/environment.ts'
export { sessionsMax } from '../limits.ts'
export { doorWords, outputInDoorWords } from '../mcp/door-words.ts'
export { changedBy } from '../overview/overview.ts'
export { needWith, nodeWith, rowWith } from '../overview/overview-fixture.ts'
export { signInCodeMsDefault } from '../page/page-messages.ts'
export { PolicySettings } from '../policy/rules.ts'
export { keptPartBytesMin } from '../recording/recordings.ts'
export type { DaemonOwner } from '../wire/handshake.ts'
export { fromWireError, fromWireEvent, toWireError, toWireEvent } from '../wire/messages.ts'
export { exampleApproval, exampleItem, exampleNeed } from './examples.ts'
export { FakeClock } from './fake-clock.ts'
export { waitingForLine } from './fake-facts.ts'
export { type Delivery, FakePty, type FakePtyOptions, type FakeResize } from './fake-pty.ts'
export { FakePtyHost, type FakePtyHostOptions } from './fake-pty-host.ts'
export { noEnvironments } from './no-environments.ts'
export { noGates, noWalls } from './no-walls.ts'
