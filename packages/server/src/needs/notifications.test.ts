import { messagesWaitingMax, type NotifyMessage, retryGapsMs } from '@agentpty/protocol/needs'
import { exampleNeed, FakeClock } from '@agentpty/protocol/testing'
import { expect, test } from 'vitest'
import { Outbox } from './notifications.ts'

const message = (needId: string, type: NotifyMessage['type'] = 'need'): NotifyMessage => ({
  type,
  id: `${type} ${needId}`,
  at: 0,
  need: { ...exampleNeed, needId },
})
const turnOfTheLoop = () => new Promise((resolve) => setImmediate(resolve))

/** A receiver that takes what it is let take. */
function open(refuses: (tries: number) => boolean, retries = retryGapsMs.length) {
  const clock = new FakeClock()
  const [taken, reported]: [string[], string[]] = [[], []]
  let tries = 0
  const send = async ({ id }: NotifyMessage) => {
    tries += 1
    if (refuses(tries)) throw new Error('not now')
    taken.push(id)
    return 'taken' as const
  }
  const outbox = new Outbox({ clock, send, retries, failed: (what) => reported.push(what) })
  return { clock, outbox, taken, reported, tries: () => tries }
}

test('what is not taken is tried again after ever longer pauses, and others wait for it', async () => {
  const { clock, outbox, taken } = open((tries) => tries <= 2)
  outbox.put(message('a'))
  outbox.put(message('b'))
  await turnOfTheLoop()
  expect(taken).toEqual([])
  for (const gap of retryGapsMs.slice(0, 2)) {
    clock.advance(gap)
    await turnOfTheLoop()
  }
  expect(taken).toEqual(['need a', 'need b'])
})

test('a message is given up after the last try, which is reported, and the next one is sent', async () => {
  const { clock, outbox, taken, reported, tries } = open((count) => count <= retryGapsMs.length + 1)
  outbox.put(message('a'))
  outbox.put(message('b'))
  for (const gap of [...retryGapsMs, 0]) {
    await turnOfTheLoop()
    clock.advance(gap)
  }
  await turnOfTheLoop()
  expect([reported, taken]).toEqual([['need a: not now'], ['need b']])
  expect(tries()).toBe(retryGapsMs.length + 2)
})

test('what is withdrawn before it was tried is not sent at all', async () => {
  const { clock, outbox, taken } = open((tries) => tries === 1)
  outbox.put(message('a'))
  outbox.put(message('b'))
  outbox.put(message('b', 'withdrawn'))
  outbox.put(message('a', 'withdrawn'))
  await turnOfTheLoop()
  clock.advance(retryGapsMs[0] ?? 0)
  await turnOfTheLoop()
  expect(taken).toEqual(['need a', 'withdrawn a'])
})

test('waiting messages are bounded: the oldest are left out, and that is reported', async () => {
  const { outbox, reported } = open(() => true)
  for (let at = 0; at < messagesWaitingMax + 3; at += 1) outbox.put(message(`${at}`))
  expect(reported).toHaveLength(3)
})

test('a receiver that asks for a longer pause gets it', async () => {
  const clock = new FakeClock()
  const taken: string[] = []
  const longer = 60_000
  const send = async ({ id }: NotifyMessage) => {
    taken.push(id)
    return taken.length > 1 ? ('taken' as const) : { tryAgainAfterMs: longer, why: 'busy' }
  }
  const outbox = new Outbox({ clock, send, retries: 1, failed: () => {} })
  outbox.put(message('a'))
  await turnOfTheLoop()
  clock.advance(longer - 1)
  await turnOfTheLoop()
  expect(taken).toHaveLength(1)
  clock.advance(1)
  await turnOfTheLoop()
  expect(taken).toHaveLength(2)
})
