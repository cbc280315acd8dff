import assert from 'node:assert/strict'
import { TermError } from '@agentpty/protocol'
import type { Call, Guard, Journal } from '@agentpty/protocol/call'
import { expect, test } from 'vitest'
import { Pipeline } from './pipeline.ts'

const call: Call = { name: 'send', input: { terminalId: 'term-1' }, context: { client: 'a', cwd: '/', env: {} } }
const refused = new TermError('limit_reached', 'Not now.', 'Wait.')

/** Notes outcomes in a list; it has no defects. */
function journalIn(noted: string[]): Journal {
  return { note: (_call, outcome) => void noted.push(outcome), failed: (error) => assert.fail(String(error)) }
}

async function* events() {
  yield 'a'
  yield 'b'
}

test('guards are asked in their order, then the call is done, then it is noted', async () => {
  const steps: string[] = []
  const guard =
    (name: string): Guard =>
    ({ name: verb }) =>
      void steps.push(`${name} ${verb}`)
  const pipeline = new Pipeline([guard('scope'), guard('policy')], journalIn(steps))
  expect(await pipeline.run(call, async () => steps.push('done by hand'))).toBe(3)
  expect(steps).toEqual(['scope send', 'policy send', 'done by hand', 'done'])
})

test('a refused call is never done, and its refusal is noted', async () => {
  const noted: string[] = []
  const pipeline = new Pipeline(
    [
      () => {
        throw refused
      },
    ],
    journalIn(noted),
  )
  let isDone = false
  const handle = async () => {
    isDone = true
  }
  await expect(pipeline.run(call, handle)).rejects.toBe(refused)
  expect([isDone, noted]).toEqual([false, ['limit_reached']])
})

test('a call waits for a guard that asks a person', async () => {
  let allow = () => {}
  const pipeline = new Pipeline([() => new Promise<void>((resolve) => (allow = resolve))])
  const running = pipeline.run(call, async () => 'typed')
  expect(await Promise.race([running, Promise.resolve('waits')])).toBe('waits')
  allow()
  expect(await running).toBe('typed')
})

test('without guards calls begin in the order in which they are made', () => {
  const begun: number[] = []
  const pipeline = new Pipeline()
  for (const number of [1, 2, 3]) void pipeline.run(call, async () => begun.push(number))
  expect(begun).toEqual([1, 2, 3])
})

test('a stream passes the same guards before it is read, and is noted when reading stops', async () => {
  const noted: string[] = []
  const journal = journalIn(noted)
  for await (const event of new Pipeline([], journal).stream(call, events)) if (event === 'a') break
  const closed = new Pipeline([() => Promise.reject(refused)], journal).stream(call, () => {
    throw new Error('opened all the same')
  })
  await expect(closed.next()).rejects.toBe(refused)
  expect(noted).toEqual(['done', 'limit_reached'])
})

test('a journal that cannot note a call leaves its result, and the error goes to the owner of the journal', async () => {
  const tried: string[] = []
  const failures: unknown[] = []
  const full = new Error('the disk is full')
  const note = (_call: Call, outcome: string) => {
    tried.push(outcome)
    throw full
  }
  const pipeline = new Pipeline([], { note, failed: (error) => void failures.push(error) })
  expect(await pipeline.run(call, async () => 'typed')).toBe('typed')
  await expect(pipeline.run(call, () => Promise.reject(refused))).rejects.toBe(refused)
  const read: string[] = []
  for await (const event of pipeline.stream(call, events)) read.push(event)
  const refusing = pipeline.stream(call, () => {
    throw refused
  })
  await expect(refusing.next()).rejects.toBe(refused)
  expect(read).toEqual(['a', 'b'])
  expect(tried).toEqual(['done', 'limit_reached', 'done', 'limit_reached'])
  expect(failures).toEqual([full, full, full, full])
})
