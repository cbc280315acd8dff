import assert from 'node:assert/strict'
import {
  inboxPieceBytes,
  parseSliceMicros,
  parseTurnMs,
  skimBytesMax,
  skimGatherBytes,
  skimGatherMsMax,
  skimQuietMs,
} from '@agentpty/protocol'
import { FakeClock } from '@agentpty/protocol/testing'
import { test } from 'vitest'
import { OutputLog } from '../log/output-log.ts'
import { FloodGathering, Inbox, SlicePace } from './inbox.ts'
import { openFakeSession } from './testing/fake-session.ts'

const dense = '\x1b[c'.repeat(5_000)

function openInbox() {
  const clock = new FakeClock()
  const taken: { readonly offset: number; readonly text: string }[] = []
  const inbox = new Inbox(clock, (offset, bytes) => {
    // Each piece takes longer than a turn.
    clock.advance(10)
    taken.push({ offset, text: Buffer.from(bytes).toString() })
  })
  return { inbox, taken }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('text is taken immediately', () => {
  const { inbox, taken } = openInbox()
  inbox.add(0, Buffer.from('line\r\n'.repeat(10_000)))
  assert.deepEqual([taken.length, inbox.isEmpty], [1, true])
})

test('what is dense with sequences is taken a piece a turn, in order, and text that follows behind it', async () => {
  const { inbox, taken } = openInbox()
  const bytes = Buffer.from(dense)
  inbox.add(7, bytes)
  bytes.fill(0)
  inbox.add(7 + dense.length, Buffer.from('after'))
  assert.equal(taken.length, 0)
  await turn()
  assert.deepEqual(
    taken.map(({ offset, text }) => [offset, text.length]),
    [[7, inboxPieceBytes]],
  )
  while (!inbox.isEmpty) await turn()
  assert.equal(taken.map(({ text }) => text).join(''), `${dense}after`)
})

test('two sessions with much output take turns', async () => {
  const one = openInbox()
  const other = openInbox()
  one.inbox.add(0, Buffer.from(dense))
  other.inbox.add(0, Buffer.from(dense))
  for (let count = 0; count < 4; count++) await turn()
  assert.deepEqual([one.taken.length, other.taken.length], [2, 2])
})

test('an exit is reported after the last byte, also when that waits for its turn', async () => {
  const { clock, pty, session } = openFakeSession()
  pty.prints(`${'\x1b]7;x\x07'.repeat(5_000)}last`)
  pty.exits({ code: 3, signal: null })
  assert.deepEqual(session.exit, null)
  const ending = await session.wait({
    conditions: [{ kind: 'text', text: 'last' }],
    since: 0,
    deadline: clock.now() + 1_000,
  })
  assert.equal(ending.outcome, 'met')
  assert.deepEqual(session.exit, { code: 3, signal: null })
})

test('a caller that asks for a screen that takes too long is shown how far it has come', async () => {
  const { clock, pty, session } = openFakeSession()
  pty.prints(`${'x\x1b[500L'.repeat(400)}`)
  const screen = session.screen()
  clock.advance(2_000)
  const { offset } = (await screen).snapshot()
  assert.ok(offset < session.log.end)
})

const little = 100

function open() {
  const clock = new FakeClock()
  const log = new OutputLog({ capacityBytes: 8 << 20 })
  const seen = { calls: 0 }
  const gathering = new FloodGathering(clock, log, () => {
    seen.calls += 1
  })
  const comes = (bytes: number) => {
    log.append(new Uint8Array(bytes))
    gathering.grown()
  }
  return { clock, log, gathering, comes, seen }
}

function openFlood() {
  const flood = open()
  flood.gathering.skimmed(1_000_000)
  flood.comes(1_000)
  return flood
}

test('output waits for more only where what came before was passed over', () => {
  const { gathering, comes } = open()
  comes(1_000)
  assert.equal(gathering.waitsFrom(0, little), false)
  gathering.skimmed(1_000_000)
  assert.equal(gathering.waitsFrom(0, little), true)
  gathering.skimmed(0)
  assert.equal(gathering.waitsFrom(0, little), false)
})

test('a beginning that is small does not wait, and what waits already does', () => {
  const { gathering } = openFlood()
  assert.equal(gathering.waitsFrom(950, little), false)
  assert.equal(gathering.waitsFrom(0, little), true)
  assert.equal(gathering.waitsFrom(950, little), true)
})

test('it waits until there is enough', () => {
  const { gathering, comes } = openFlood()
  assert.equal(gathering.waitsFrom(0, little), true)
  comes(skimGatherBytes)
  assert.equal(gathering.waitsFrom(0, little), false)
})

test('it waits until nothing has come for a moment, and then not again before more comes', () => {
  const { clock, gathering, comes, seen } = openFlood()
  gathering.waitsFrom(0, little)
  clock.advance(skimQuietMs - 1)
  comes(1)
  clock.advance(skimQuietMs - 1)
  assert.equal(seen.calls, 0)
  clock.advance(skimQuietMs)
  assert.equal(seen.calls, 1)
  gathering.skimmed(1_000_000)
  assert.equal(gathering.waitsFrom(0, little), false)
  comes(1_000)
  assert.equal(gathering.waitsFrom(0, little), true)
})

test('it does not wait for long, however steadily little comes', () => {
  const { clock, gathering, comes, seen } = openFlood()
  gathering.waitsFrom(0, little)
  for (let ms = 0; ms < skimGatherMsMax; ms++) {
    comes(1)
    clock.advance(1)
  }
  assert.equal(seen.calls, 1)
})

test('it does not wait once no more can come', () => {
  const { clock, gathering, seen } = openFlood()
  gathering.waitsFrom(0, little)
  gathering.ended()
  assert.equal(seen.calls, 1)
  assert.equal(clock.pending, 0)
  gathering.skimmed(1_000_000)
  assert.equal(gathering.waitsFrom(0, little), false)
})

const slice = (pace: SlicePace, begun: number, ms: number) => {
  pace.begin(begun)
  return pace.sliced(begun + ms)
}

test('the first slice is small, and slices grow while they take less than was guessed', () => {
  const pace = new SlicePace()
  assert.ok(pace.micros <= parseSliceMicros / 20)
  for (let count = 0; count < 6; count++) slice(pace, 1_000, 0)
  assert.equal(pace.micros, parseSliceMicros)
})

test('a slice that took longer than was guessed makes the next one smaller', () => {
  const pace = new SlicePace()
  for (let count = 0; count < 6; count++) slice(pace, 1_000, 0)
  assert.equal(slice(pace, 1_000, (4 * parseSliceMicros) / 1_000), true)
  assert.equal(pace.micros, parseSliceMicros / 4)
  assert.equal(slice(pace, 1_000, parseTurnMs / 8), false)
})

test('where nothing could be passed over, the next search comes the later the more was searched', () => {
  const slicesToSkim = (searched: number) => {
    const pace = new SlicePace()
    pace.skimmed(0, searched)
    for (let count = 0; ; count++) {
      if (pace.maySkim) return count
      slice(pace, 1_000, 0)
    }
  }
  assert.equal(slicesToSkim(skimBytesMax / 100), 1)
  assert.equal(slicesToSkim(skimBytesMax), 8)
})

test('where something was passed over, the next search may come immediately', () => {
  const pace = new SlicePace()
  pace.skimmed(0, skimBytesMax)
  pace.skimmed(1_000, skimBytesMax)
  assert.equal(pace.maySkim, true)
})
