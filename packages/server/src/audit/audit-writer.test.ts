/** The writer of the journal: when it writes, and what it does when it cannot write. */

import { type AuditBody, auditGatherMs, auditQueueMax, auditRetryMs } from '@agentpty/protocol/audit'
import { FakeClock } from '@agentpty/protocol/testing'
import { isObject, parseObject } from '@agentpty/protocol/wire'
import { expect, test } from 'vitest'
import type { AuditBatch } from './audit-files.ts'
import { AuditWriter } from './audit-writer.ts'

const call = (text: string): AuditBody => ({ kind: 'call', verb: 'send', who: { client: 'a' }, text, outcome: 'done' })

interface Options {
  readonly droppedBefore?: number
  readonly beforeWrite?: (put: (body: AuditBody) => void) => void
}

function open({ droppedBefore, beforeWrite = () => {} }: Options = {}) {
  const clock = new FakeClock()
  const batches: AuditBatch[] = []
  const failures: unknown[] = []
  let full: Error | null = null
  const appendNow = (batch: AuditBatch) => {
    if (full !== null) throw full
    batches.push(batch)
    return { droppedBefore: batches.length === 1 ? (droppedBefore ?? null) : null }
  }
  const writer: AuditWriter = new AuditWriter({
    clock,
    store: { append: async (batch) => appendNow(batch), appendNow, close: () => {} },
    end: { n: 0, hash: '', id: null, torn: null },
    head: null,
    beforeWrite: () => beforeWrite((body) => writer.put(body)),
    failed: (error) => void failures.push(error),
  })
  return {
    clock,
    writer,
    batches,
    failures,
    fill: (error: Error | null) => {
      full = error
    },
    /** Returns the written records as a reader would parse them. */
    records: () =>
      batches
        .flatMap(({ text }) => text.trimEnd().split('\n'))
        .map((line) => parseObject(line))
        .filter(isObject),
  }
}

/** Lets what is written in the background be written. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('records that come together are written in one go, and one of a refusal at once', async () => {
  const { writer, clock, batches } = open()
  writer.put(call('a'))
  writer.put(call('b'))
  expect(clock.nextAt).toBe(clock.now() + auditGatherMs)
  writer.put(call('c'), { isUrgent: true })
  clock.advance(0)
  await settled()
  expect(batches).toHaveLength(1)
  expect(batches[0]).toMatchObject({ first: 1, head: { n: 3 } })
})

test('what is put with records when they are written does not end the writing', async () => {
  const differences = [call('difference')]
  const { writer, clock, records } = open({ beforeWrite: (put) => differences.splice(0).forEach(put) })
  for (const text of ['a', 'b', 'c']) {
    writer.put(call(text))
    for (let round = 0; round < 3; round++) {
      clock.advance(auditGatherMs)
      await settled()
    }
  }
  expect(records().map(({ text }) => text)).toEqual(['a', 'difference', 'b', 'c'])
})

test('on a full disk records wait, and stand in their order once there is room', async () => {
  const { writer, clock, records, fill, failures } = open()
  fill(new Error('ENOSPC'))
  writer.put(call('a'))
  clock.advance(auditGatherMs)
  await settled()
  writer.put(call('b'))
  expect(writer.status).toMatchObject({ records: 0, waiting: 2, lost: 0, problem: 'ENOSPC' })
  clock.advance(auditRetryMs)
  await settled()
  expect(failures).toHaveLength(1)
  fill(null)
  clock.advance(auditRetryMs)
  await settled()
  expect(records()).toMatchObject([
    { n: 1, text: 'a' },
    { n: 2, text: 'b' },
  ])
  expect([writer.status.problem, failures]).toEqual([null, [new Error('ENOSPC'), null]])
})

test('what comes when too many wait is counted, and a record says so', async () => {
  const { writer, clock, records, fill } = open()
  fill(new Error('ENOSPC'))
  for (let number = 0; number < auditQueueMax + 7; number++) writer.put(call(String(number)))
  clock.advance(auditGatherMs)
  await settled()
  expect(writer.status).toMatchObject({ waiting: auditQueueMax, lost: 7 })
  fill(null)
  await writer.flush()
  await writer.close()
  expect(records().at(-2)).toMatchObject({ text: String(auditQueueMax - 1) })
  expect(records().at(-1)).toMatchObject({ n: auditQueueMax + 1, kind: 'journal', event: 'lost', count: 7 })
})

test('that old records made room is a record', async () => {
  const { writer, records } = open({ droppedBefore: 12 })
  writer.put(call('a'))
  await writer.flush()
  await writer.close()
  expect(records()).toMatchObject([{ text: 'a' }, { kind: 'journal', event: 'dropped', before: 12 }])
})

test('ids grow and are never given twice, also when the time of day is set back', () => {
  const { writer, clock } = open()
  const ids = Array.from({ length: 50 }, () => writer.newId())
  clock.jumpWall(-3_600_000)
  ids.push(writer.newId())
  expect(new Set(ids).size).toBe(51)
  expect(ids).toEqual(ids.toSorted())
  expect(ids[0]).toMatch(/^au-[0-9a-z]{8}$/)
})

test('secrets are masked in all typed text', async () => {
  const { writer, records } = open()
  writer.put({ kind: 'difference', session: 'term-1', line: 'export API_KEY=abc', ranAt: 1 })
  writer.put({ ...call('curl -H "Authorization: Bearer abcdefghijkl"'), resolved: 'curl --token abc' } as AuditBody)
  await writer.flush()
  expect(records()).toMatchObject([
    { line: 'export API_KEY=[masked]' },
    { text: 'curl -H "Authorization: Bearer [masked]"', resolved: 'curl --token [masked]' },
  ])
})
