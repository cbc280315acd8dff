import assert from 'node:assert/strict'
import { inboxPieceBytes } from '@agentpty/protocol'
import { FakeClock } from '@agentpty/protocol/testing'
import { test } from 'vitest'
import { Inbox } from './inbox.ts'
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

test('two who have much take turns', async () => {
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
