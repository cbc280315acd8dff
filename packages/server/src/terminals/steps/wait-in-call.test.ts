import assert from 'node:assert/strict'
import { openFakeSession } from '@agentpty/engine/testing'
import type { CallContext } from '@agentpty/protocol/call'
import { expect, test } from 'vitest'
import { conditionsOf, waitFor, waitMs } from './wait-in-call.ts'

const clientTimeoutMs = 55_000
const context: CallContext = { client: 'test', cwd: '/', env: {} }

test.each<[string, number, number]>([
  ['little is asked', 100, 100],
  ['nothing is waited for', 0, 0],
])('a call waits as long as it should where %s', (_name, waitTimeoutMs, want) => {
  assert.equal(waitMs({ waitTimeoutMs }, context), want)
})

test.each([55_000, 60_000, 86_400_000])(
  'a call that may wait %i ms still returns before its client gives up',
  (waitTimeoutMs) => {
    // Beside the wait there is the write before it, the verdict after it, and the way back.
    assert.ok(waitMs({ waitTimeoutMs }, context) <= clientTimeoutMs - 1_000)
  },
)

test('a long wait ends as a time-out before its client gives up', async () => {
  const { clock, session } = openFakeSession()
  const timeoutMs = waitMs({ waitTimeoutMs: 86_400_000 }, context)
  const begun = clock.now()
  const conditions = [{ kind: 'exit' as const }]
  const ending = waitFor(clock, session, { conditions, since: 0, timeoutMs }, context)
  while (clock.pending > 0 && clock.now() - begun < clientTimeoutMs) clock.advance(500)
  assert.equal((await ending)?.outcome, 'timeout')
  assert.ok(clock.now() - begun < clientTimeoutMs)
})

test('progress is reported while it waits, and no longer', async () => {
  const { clock, pty, session } = openFakeSession()
  const reported: number[] = []
  const progress = (waitedMs: number, totalMs: number) => {
    reported.push(waitedMs)
    assert.equal(totalMs, 30_000)
  }
  const conditions = [{ kind: 'exit' as const }]
  const ending = waitFor(clock, session, { conditions, since: 0, timeoutMs: 30_000 }, { ...context, progress })
  clock.advance(5_000)
  pty.exits()
  await ending
  clock.advance(5_000)
  assert.deepEqual(reported, [2_000, 4_000])
})

test('a call that is taken back is an error', async () => {
  const { clock, session } = openFakeSession()
  const abort = new AbortController()
  const conditions = [{ kind: 'exit' as const }]
  const call = waitFor(clock, session, { conditions, since: 0, timeoutMs: 1_000 }, { ...context, signal: abort.signal })
  abort.abort()
  await expect(call).rejects.toMatchObject({ code: 'cancelled' })
})

test('waiting for a shell’s command in a program that marks none is refused at once', async () => {
  const { clock, session } = openFakeSession({ info: { shell: null, argv: ['cat'] } })
  const wait = { conditions: [{ kind: 'command' as const }], since: 0, timeoutMs: 1_000 }
  await expect(waitFor(clock, session, wait, context)).rejects.toMatchObject({ code: 'not_a_shell' })
})

test('the default holds only where nothing else is asked for', () => {
  const waitTimeoutMs = 1_000
  assert.deepEqual(conditionsOf({ waitTimeoutMs }, 'ready'), [{ kind: 'ready', confidence: 'low' }])
  assert.deepEqual(conditionsOf({ waitFor: 'none', waitTimeoutMs }, 'ready'), [])
  assert.deepEqual(conditionsOf({ waitForString: 'x', waitTimeoutMs }, 'ready'), [{ kind: 'text', text: 'x' }])
  assert.deepEqual(conditionsOf({ waitFor: ['exit', { quietMs: 5 }], waitForOutput: true, waitTimeoutMs }, 'ready'), [
    { kind: 'output' },
    { kind: 'exit' },
    { kind: 'quiet', ms: 5 },
  ])
})
