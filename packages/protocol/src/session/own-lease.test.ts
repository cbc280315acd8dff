import { expect, test } from 'vitest'
import type { Client } from '../client.ts'
import { TermError } from '../errors.ts'
import { FakeClock } from '../testing/fake-clock.ts'
import { freeLease, type Lease } from './lease.ts'
import { attachedLeaseMs } from './lease-limits.ts'
import { OwnLease, type OwnLeaseParts } from './own-lease.ts'

/** A terminal that `me` may take from others, as the server has it. */
class Terminal {
  readonly clock = new FakeClock()
  lease: Lease = freeLease
  takes = 0
  isConnected = true
  fails: TermError | null = null
  leftover: string | undefined
  readonly errors: unknown[] = []

  own(more: Partial<OwnLeaseParts> = {}): OwnLease {
    const client = { call: (name: string) => this.#call(name) } as unknown as Pick<Client, 'call'>
    const own = new OwnLease({
      clock: this.clock,
      terminalId: 'term-1',
      client: () => (this.isConnected ? client : null),
      changed: () => {},
      failed: (error) => this.errors.push(error),
      ...more,
    })
    own.seen(this.lease)
    return own
  }

  takenBy(holder: string | null): Lease {
    const mayType = holder === null ? 'both' : 'person'
    const endsAt = holder === null ? null : this.clock.wall() + attachedLeaseMs
    this.lease = { ...freeLease, mayType, holder, endsAt, epoch: this.lease.epoch + 1 }
    return this.lease
  }

  async #call(name: string) {
    if (this.fails !== null) throw this.fails
    if (name === 'release') return { lease: this.takenBy(null) }
    this.takes++
    if (this.lease.holder !== 'me') this.takenBy('me')
    return { lease: this.lease, leftover: this.leftover }
  }

  /** Lets time pass, and answers the calls in between. */
  async passes(ms: number, steps = 20): Promise<void> {
    for (let step = 0; step < steps; step++) {
      this.clock.advance(ms / steps)
      await Promise.resolve()
      await Promise.resolve()
    }
  }
}

test('it is made longer for as long as its holder is there', async () => {
  const terminal = new Terminal()
  const own = terminal.own()
  await own.take()
  expect(own.isMine).toBe(true)
  await terminal.passes(10 * attachedLeaseMs, 600)
  expect(terminal.takes).toBeGreaterThan(20)
  own.dispose()
  const { takes } = terminal
  await terminal.passes(attachedLeaseMs)
  expect(terminal.takes).toBe(takes)
})

test('one that is not used any more is not made longer, and one that is used again is', async () => {
  const terminal = new Terminal()
  const own = terminal.own({ usedForMs: 60_000 })
  await own.take()
  await terminal.passes(60_000, 60)
  const { takes } = terminal
  expect(takes).toBeGreaterThan(2)
  await terminal.passes(60_000, 60)
  expect(terminal.takes).toBe(takes)
  own.used()
  expect(terminal.takes).toBe(takes + 1)
})

test('it is not made longer while its holder cannot see the terminal', async () => {
  const terminal = new Terminal()
  let isInFront = false
  const own = terminal.own({ isInFront: () => isInFront })
  await own.take()
  await terminal.passes(attachedLeaseMs)
  expect(terminal.takes).toBe(1)
  isInFront = true
  await terminal.passes(attachedLeaseMs)
  expect(terminal.takes).toBeGreaterThan(1)
})

test('keys one after the other do not make it longer each time', async () => {
  const terminal = new Terminal()
  const own = terminal.own()
  await own.take()
  for (let at = 0; at < 50; at++) own.used()
  expect(terminal.takes).toBe(1)
})

test('a lease that another client has taken is not mine, and is not retaken automatically', async () => {
  const terminal = new Terminal()
  const own = terminal.own()
  terminal.leftover = 'half a line'
  await own.take()
  expect(own.found).toEqual({ leftover: 'half a line' })
  own.seen(terminal.takenBy('another tab'))
  expect([own.isMine, own.epoch, own.found]).toEqual([false, null, null])
  own.used()
  await terminal.passes(attachedLeaseMs)
  expect(terminal.takes).toBe(1)
})

test('a holder that returns with its epoch still has the lease, and extends it', async () => {
  const terminal = new Terminal()
  const { epoch } = terminal.takenBy('me')
  const own = terminal.own({ epoch })
  expect(own.isMine).toBe(true)
  expect(own.endsAt).toBe(terminal.clock.now() + attachedLeaseMs)
  own.used()
  expect(terminal.takes).toBe(1)
})

test('returning a lease frees it, and changes nothing while it is free', async () => {
  const terminal = new Terminal()
  const own = terminal.own()
  await own.giveBack()
  expect(terminal.lease.epoch).toBe(0)
  await own.toggle()
  await own.toggle()
  expect([terminal.lease.mayType, own.isMine, own.endsAt]).toEqual(['both', false, 0])
})

test('it is not extended without a connection, and extended once there is one', async () => {
  const terminal = new Terminal()
  const own = terminal.own()
  await own.take()
  terminal.isConnected = false
  await terminal.passes(attachedLeaseMs / 2)
  expect(terminal.takes).toBe(1)
  terminal.isConnected = true
  await terminal.passes(attachedLeaseMs / 3)
  expect(terminal.takes).toBe(2)
})

test('an error is reported, and changes nothing', async () => {
  const terminal = new Terminal()
  const own = terminal.own()
  terminal.fails = new TermError('session_exited', 'It has ended.', 'Open another one.')
  await own.take()
  expect([own.isMine, terminal.errors]).toEqual([false, [terminal.fails]])
})
