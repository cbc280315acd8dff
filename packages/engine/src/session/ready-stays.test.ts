/** A verdict that has settled a wait is returned again to a caller that asks immediately, whatever its evidence was. */

import assert from 'node:assert/strict'
import { activities, type Facts } from '@agentpty/protocol'
import fc from 'fast-check'
import { test } from 'vitest'
import { agentTypes, type FakeSession, openFakeSession } from './testing/fake-session.ts'

const facts = fc.record({
  wait: fc.constantFrom('none' as const, 'read' as const, 'poll' as const, 'select' as const, 'epoll' as const),
  activity: fc.constantFrom(...activities),
  canonical: fc.boolean(),
  echo: fc.boolean(),
  readable: fc.boolean(),
  inner: fc.boolean(),
  otherFds: fc.constantFrom(0, 2),
  sockets: fc.constantFrom(0, 1),
  threads: fc.constantFrom(1, 4),
  waiterThread: fc.constantFrom(200, 201),
  timeoutMs: fc.constantFrom(null, 100, 500, 1_500, 5_000),
  callSite: fc.constantFrom(0, 7),
  name: fc.constantFrom('cat', 'bash', 'ssh'),
})

const text = fc.constantFrom(
  '',
  'name: ',
  '(gdb) ',
  'some text',
  '[y/N] ',
  '\x1b[?1049h\x1b[3;4Hpicture',
  'a\r\n\x1b[5;1Hdrawn',
)

/** The longest hold of the table, and its report. */
const untilMs = 12_000

/** The host reports the same again and again, as it does of a program that rests. */
async function rest({ clock, pty, session }: FakeSession, seen: Partial<Facts>): Promise<boolean> {
  for (const ms of [0, 0.5, 1.5, 6, 12, 80, 300, ...Array.from({ length: untilMs / 200 }, () => 200)]) {
    clock.advance(ms)
    pty.reports(seen)
    await session.screen()
    if (session.turn().verdict.state === 'ready') return true
  }
  return false
}

test('once it is the caller’s turn it stays so until something happens', async () => {
  const cases = fc.array(fc.record({ facts, text, input: fc.constantFrom('x\r', 'x', '\x1b[A') }), {
    minLength: 1,
    maxLength: 3,
  })
  const property = fc.asyncProperty(cases, fc.boolean(), async (inputs, isShell) => {
    const fake = openFakeSession(isShell ? {} : { info: { shell: null } })
    const { clock, pty, session } = fake
    const release = session.watch()
    for (const one of inputs) {
      await agentTypes(session, Buffer.from(one.input))
      pty.prints(one.text)
      if (!(await rest(fake, one.facts))) continue
      const { verdict } = session.turn()
      for (const ms of [0, 1, 50, 1_000]) {
        clock.advance(ms)
        pty.reports(one.facts)
        const again = session.turn().verdict
        assert.deepEqual([again.state, again.kind], [verdict.state, verdict.kind], `${ms} ms later: ${again.evidence}`)
      }
      const fresh = await session.freshVerdict(15)
      assert.equal(fresh.state, 'ready')
    }
    release()
  })
  await fc.assert(property, { numRuns: 400 })
})
