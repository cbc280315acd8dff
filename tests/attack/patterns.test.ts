/** Callers' patterns with excessive backtracking cost their own callers time, and no other client. */

import assert from 'node:assert/strict'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Victim } from './hostile.ts'

const victim = new Victim()
let terminalId: string

beforeAll(async () => {
  await victim.open()
  const { rpc } = victim
  terminalId = (await rpc.call('create', { command: ['cat'] })).terminalId
  // Lines that nearly match, whatever the pattern repeats.
  await rpc.call('send', { terminalId, text: `${'a'.repeat(60)}!\n`, waitFor: { text: '!' } })
})
afterAll(() => victim.close())

const repeats = [
  '(a+)+',
  '(a*)*',
  '(a|aa)+',
  '(a|a?)+',
  '([a-z]+)*',
  '(\\w+\\w?)+',
  '(a+)(?:\\1*)*(a*)*',
  '(?:(a+)b?)+',
]
const evil = ['$', '[^a!]', '(?=b)', 'b\\1?'].flatMap((end) => repeats.map((repeat) => `^${repeat}${end}`))
const refused = expect.objectContaining({ code: 'invalid_input', hint: expect.stringContaining('Avoid') })

test('thirty endless searches are refused while another terminal answers', async () => {
  const startedAt = performance.now()
  const finds = Promise.all(
    evil.map((find) => expect(victim.rpc.call('read', { terminalId, find })).rejects.toThrowError(refused)),
  )
  const { heldUpMs } = await victim.watch(finds)
  // Two at a time, a tenth of a second each; longer on a busy machine.
  expect(performance.now() - startedAt).toBeLessThan(30_000)
  expect(heldUpMs).toBeLessThan(2_000)
})

test('waits for such patterns are refused while another terminal answers', async () => {
  const waits = Promise.all(
    evil.map((pattern) =>
      expect(
        victim.rpc.call('read', { terminalId, since: 0, waitFor: { pattern }, waitTimeoutMs: 20_000 }),
      ).rejects.toThrowError(refused),
    ),
  )
  expect((await victim.watch(waits)).heldUpMs).toBeLessThan(2_000)
})

test('a harmless search is answered after them', async () => {
  const { matches } = await victim.rpc.call('read', { terminalId, find: '^a+!$' })
  assert.ok(matches && matches > 0)
})
