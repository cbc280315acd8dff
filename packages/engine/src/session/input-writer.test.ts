import assert from 'node:assert/strict'
import { type Clock, type Pty, replyBytesMax } from '@agentpty/protocol'
import { test } from 'vitest'
import { FactTracker } from '../turn/fact-tracker.ts'
import { InputWriter } from './input-writer.ts'

/** A clock whose timers come late: time goes on, and each fires only when the test lets it. */
function lateClock() {
  let now = 0
  const timers: (() => void)[] = []
  const clock: Clock = {
    now: () => now,
    wall: () => now,
    callAt: (_at, call) => {
      timers.push(call)
      return () => undefined
    },
  }
  return {
    clock,
    pass: (ms: number) => {
      now += ms
    },
    fire: () => {
      for (const call of timers.splice(0)) call()
    },
  }
}

const sending = { admit: () => {}, isUrgent: false, numbered: undefined }

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('what is typed after an Escape stays in order, also when the pause is over before its timer has fired', async () => {
  const { clock, pass, fire } = lateClock()
  const sent: string[] = []
  const pty = {
    write: async (bytes: Uint8Array) => {
      sent.push(Buffer.from(bytes).toString())
      return { result: 'written' as const }
    },
  } as unknown as Pty
  const input = new InputWriter(clock, pty, new FactTracker(), async () => {})
  const writes = [input.write(Buffer.from('\x1b'), sending), input.write(Buffer.from('first'), sending)]
  await settled()
  pass(1_000)
  writes.push(
    input.write(Buffer.from('second'), sending),
    input.write(Buffer.from('third\x1b'), sending),
    input.write(Buffer.from('last'), sending),
  )
  await settled()
  assert.deepEqual(sent, ['\x1b'])
  fire()
  await settled()
  assert.deepEqual(sent, ['\x1b', 'first', 'second', 'third\x1b'])
  pass(1_000)
  fire()
  await Promise.all(writes)
  assert.deepEqual(sent, ['\x1b', 'first', 'second', 'third\x1b', 'last'])
})

test('a line that the terminal would cut is refused, and what is typed after it is not', async () => {
  const { clock } = lateClock()
  const sent: string[] = []
  const pty = {
    write: async (bytes: Uint8Array) => {
      sent.push(Buffer.from(bytes).toString())
      return { result: 'written' as const }
    },
  } as unknown as Pty
  const input = new InputWriter(clock, pty, new FactTracker(), async (bytes) => {
    throw new Error(`${bytes} are too many`)
  })
  const long = input.write(Buffer.from(`${'x'.repeat(4_096)}\r`), sending)
  const next = input.write(Buffer.from('next'), sending)
  await assert.rejects(long, /4096 are too many/)
  assert.deepEqual(await next, { result: 'written' })
  assert.deepEqual(sent, ['next'])
})

test('a program that asks on and never reads is given as many answers as a terminal holds; the others are counted', async () => {
  const writes: Buffer[] = []
  const arrivals: (() => void)[] = []
  const pty = {
    write: (bytes: Uint8Array) =>
      new Promise((resolve) => {
        writes.push(Buffer.from(bytes))
        arrivals.push(() => resolve({ result: 'written' as const }))
      }),
  } as unknown as Pty
  const input = new InputWriter(lateClock().clock, pty, new FactTracker(), async () => {})
  const answer = Buffer.from('0123456789abcdef')
  for (let count = 0; count < 10_000; count++) input.reply(answer)
  await settled()
  assert.deepEqual([writes.length, writes[0]?.length], [1, replyBytesMax])
  assert.equal(input.droppedReplies, 10_000 - replyBytesMax / answer.length)
  for (const arrive of arrivals) arrive()
  await settled()
  input.reply(Buffer.from('again'))
  // What is typed comes after earlier answers of the terminal.
  void input.write(Buffer.from('typed'), sending)
  await settled()
  assert.deepEqual(writes.slice(1).map(String), ['again', 'typed'])
})
