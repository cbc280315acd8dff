import { type Need, retryGapsMs } from '@agentpty/protocol/needs'
import {
  type Device,
  type DeviceEvent,
  devicesMax,
  type KeptPushes,
  type PushMessage,
  type PushOutcome,
  pushPlainBytes,
  pushRetryMsMax,
} from '@agentpty/protocol/page'
import { exampleNeed, FakeClock } from '@agentpty/protocol/testing'
import { expect, test } from 'vitest'
import type { Overview } from '../call/index.ts'
import { KnownPushes } from './known-pushes.ts'

const turnOfTheLoop = () => new Promise((resolve) => setImmediate(resolve))
const afterMs = 10_000
const keys = { p256dh: 'p'.repeat(87), auth: 'a'.repeat(22) }
const at = (endpoint: string) => ({ endpoint, keys })

interface Posted {
  readonly endpoint: string
  readonly topic: string
  readonly urgency: string
  readonly content: { readonly type: string; readonly needId?: string; readonly title?: string; readonly text?: string }
}

/** Devices a and b, an overview whose needs a test sets, and a push service whose answers a test sets. */
function fresh(kept: KeptPushes | null = null) {
  const clock = new FakeClock()
  const signedIn = new Set(['a', 'b'])
  const listeners: ((event: DeviceEvent) => void)[] = []
  const asDevice = (deviceId: string) => ({ deviceId }) as Device
  const state = { kept, watchers: 0, loads: 0, isSaved: true }
  const logged: string[] = []
  const posted: Posted[] = []
  let answer: (to: Posted) => Promise<PushOutcome> | PushOutcome = () => ({ kind: 'taken' })
  let publish: (needs: readonly Need[]) => void = () => {}
  const watch = async function* (_scope: undefined, signal?: AbortSignal) {
    state.watchers += 1
    const waiting: (readonly Need[])[] = []
    let wake = () => {}
    publish = (needs) => {
      waiting.push(needs)
      wake()
    }
    signal?.addEventListener('abort', () => wake())
    try {
      while (signal?.aborted !== true) {
        for (const needs of waiting.splice(0)) yield { needs }
        await new Promise<void>((resolve) => (wake = resolve))
      }
    } finally {
      state.watchers -= 1
    }
  } as unknown as Overview['watch']
  const open = () =>
    new KnownPushes({
      clock,
      overview: { watch },
      secrets: null,
      afterMs,
      devices: {
        instance: 'instance',
        find: (deviceId) => (signedIn.has(deviceId) ? asDevice(deviceId) : null),
        onChange: (listener) => void listeners.push(listener),
      },
      store: {
        exists: () => state.kept !== null,
        load: () => state.kept,
        save: (next) => {
          if (!state.isSaved) throw new Error('the disk is full')
          state.kept = next
        },
      },
      sender: async () => {
        state.loads += 1
        return {
          makeKeys: () => ({ publicKey: 'public', privateKey: 'private' }),
          check: () => {},
          send: async ({ endpoint }, { text, topic, urgency }: PushMessage) => {
            expect(Buffer.byteLength(text)).toBeLessThanOrEqual(pushPlainBytes)
            const one = { endpoint, topic, urgency, content: JSON.parse(text) }
            posted.push(one)
            return answer(one)
          },
        }
      },
      log: (text) => void logged.push(text),
    })
  return {
    clock,
    state,
    posted,
    logged,
    open,
    answerWith: (next: typeof answer) => {
      answer = next
    },
    /** The needs of now, which have just come. */
    needs: async (...needs: readonly Partial<Need>[]) => {
      publish(needs.map((one) => ({ ...exampleNeed, since: clock.wall(), ...one })))
      await turnOfTheLoop()
      clock.advance(afterMs)
      await turnOfTheLoop()
    },
    revoke: (deviceId: string) => {
      signedIn.delete(deviceId)
      for (const listener of listeners) listener({ type: 'revoked', device: asDevice(deviceId), by: 'a test' })
    },
    expire: (deviceId: string) => void signedIn.delete(deviceId),
  }
}

async function subscribed(wording: 'brief' | 'sentence' = 'brief') {
  const around = fresh()
  const pushes = around.open()
  await pushes.publicKey()
  await pushes.subscribe({ deviceId: 'a', subscription: at('https://push.example.com/a'), wording })
  await turnOfTheLoop()
  return { ...around, pushes }
}

test('without a subscription nothing is loaded and nothing is watched', async () => {
  const { state, open } = fresh()
  const pushes = open()
  pushes.start()
  await turnOfTheLoop()
  expect([state.loads, state.watchers, pushes.of('a')]).toEqual([0, 0, null])
})

test('the words of a message are those that the device has chosen', async () => {
  const brief = await subscribed('brief')
  const sentence = await subscribed('sentence')
  const need = { needId: 'n1', title: 'deploy', text: 'Overwrite\nthe file?' }
  await brief.needs(need)
  await sentence.needs(need)
  expect(brief.posted[0]?.content).toEqual({
    type: 'need',
    needId: 'n1',
    title: 'agentpty',
    text: 'Something needs you.',
  })
  expect(sentence.posted[0]?.content).toEqual({
    type: 'need',
    needId: 'n1',
    title: 'deploy needs you',
    text: 'Overwrite the file?',
  })
})

test('an answered need is withdrawn under the same topic, and the topic does not name it', async () => {
  const { needs, posted } = await subscribed()
  await needs({ needId: 'n1' }, { needId: 'n2' })
  await needs({ needId: 'n2' })
  const [first, second, third] = posted
  expect(third?.content).toEqual({ type: 'withdrawn', needId: 'n1' })
  expect(third?.topic).toBe(first?.topic)
  expect(second?.topic).not.toBe(first?.topic)
  expect(first?.topic).toMatch(/^[\w-]{32}$/)
  expect([first?.urgency, third?.urgency]).toEqual(['high', 'normal'])
})

test('the longest and strangest text fits, whatever its characters', async () => {
  const { needs, posted } = await subscribed('sentence')
  await needs(
    { needId: 'n1', title: '\u{1F468}\u200D'.repeat(200), text: '\u{1F600}'.repeat(1_000) },
    { needId: 'n2', title: '"\\'.repeat(500), text: '\u202E\uD800'.repeat(500) },
    { needId: 'n3', title: '\x00\x1b[31m', text: '' },
  )
  expect(posted.map(({ content }) => content.needId)).toEqual(['n1', 'n2', 'n3'])
})

test('a device that is revoked gets no more, and its subscription is deleted', async () => {
  const { needs, posted, revoke, state, pushes } = await subscribed()
  revoke('a')
  await needs({ needId: 'n1' })
  expect([posted, state.kept?.subscriptions, state.watchers, pushes.of('a')]).toEqual([[], [], 0, null])
})

test('a device whose time is over gets no more', async () => {
  const { needs, posted, expire, state } = await subscribed()
  expire('a')
  await needs({ needId: 'n1' })
  expect([posted, state.kept?.subscriptions]).toEqual([[], []])
})

test.each(['gone', 'taken', 'refused', 'later'] as const)(
  'of the answers only "gone" ends a subscription: %s',
  async (kind) => {
    const { needs, answerWith, state } = await subscribed()
    answerWith(() =>
      kind === 'taken' ? { kind } : kind === 'later' ? { kind, why: '', afterMs: null } : { kind, why: '' },
    )
    await needs({ needId: 'n1' })
    expect(state.kept?.subscriptions.length).toBe(kind === 'gone' ? 0 : 1)
  },
)

test('a busy service is tried again after the time that it names, then given up', async () => {
  const { needs, answerWith, posted, clock, logged } = await subscribed()
  answerWith(() => ({ kind: 'later', why: 'busy', afterMs: pushRetryMsMax }))
  await needs({ needId: 'n1' })
  for (const [tried] of retryGapsMs.entries()) {
    clock.advance(pushRetryMsMax - 1)
    await turnOfTheLoop()
    expect(posted).toHaveLength(tried + 1)
    clock.advance(1)
    await turnOfTheLoop()
  }
  clock.advance(10 * pushRetryMsMax)
  await turnOfTheLoop()
  expect(posted).toHaveLength(retryGapsMs.length + 1)
  expect(logged).toHaveLength(1)
})

test('a service that never answers delays no other device', async () => {
  const { needs, answerWith, posted, pushes } = await subscribed()
  await pushes.subscribe({ deviceId: 'b', subscription: at('https://push.example.com/b'), wording: 'brief' })
  answerWith(({ endpoint }) => (endpoint.endsWith('a') ? new Promise(() => {}) : { kind: 'taken' }))
  await needs({ needId: 'n1' })
  await needs({ needId: 'n1' }, { needId: 'n2' })
  expect(posted.map(({ endpoint, content }) => `${endpoint.at(-1)} ${content.needId}`)).toEqual([
    'a n1',
    'b n1',
    'b n2',
  ])
})

test('a device subscribes again and again, and has one subscription', async () => {
  const { pushes, state } = await subscribed()
  for (let n = 0; n < 1_000; n++)
    await pushes.subscribe({ deviceId: 'a', subscription: at(`https://push.example.com/${n}`), wording: 'sentence' })
  expect(state.kept?.subscriptions).toHaveLength(1)
  expect(pushes.of('a')).toEqual({ wording: 'sentence', endpoint: 'https://push.example.com/999' })
})

test('a device that is not signed in does not subscribe', async () => {
  const { pushes, state } = await subscribed()
  for (let n = 0; n < devicesMax; n++)
    await expect(
      pushes.subscribe({ deviceId: `stranger-${n}`, subscription: at('https://push.example.com/x'), wording: 'brief' }),
    ).rejects.toMatchObject({ code: 'invalid_input' })
  expect(state.kept?.subscriptions).toHaveLength(1)
})

test('the next daemon sends to the same devices with the same key', async () => {
  const { state, open, posted, needs, pushes } = await subscribed()
  const key = await pushes.publicKey()
  pushes.close()
  const next = open()
  next.start()
  await turnOfTheLoop()
  await needs({ needId: 'n1' })
  expect([posted.length, state.watchers, await next.publicKey()]).toEqual([1, 1, key])
})

test('a subscription that cannot be stored does not count', async () => {
  const { state, open } = fresh()
  const pushes = open()
  await pushes.publicKey()
  state.isSaved = false
  await expect(
    pushes.subscribe({ deviceId: 'a', subscription: at('https://push.example.com/a'), wording: 'brief' }),
  ).rejects.toThrow('full')
  expect(pushes.of('a')).toBeNull()
})

test('a test message is sent at once, its failure is reported, and a second one waits for the first', async () => {
  const { pushes, posted, answerWith, state } = await subscribed()
  await pushes.test('a')
  expect(posted[0]?.content).toMatchObject({ type: 'test' })
  await expect(pushes.test('b')).rejects.toMatchObject({ code: 'invalid_input' })
  let finish: (outcome: PushOutcome) => void = () => {}
  answerWith(() => new Promise((resolve) => (finish = resolve)))
  const first = pushes.test('a')
  await expect(pushes.test('a')).rejects.toMatchObject({ code: 'limit_reached' })
  await turnOfTheLoop()
  finish({ kind: 'gone', why: 'the push service answers 410' })
  await expect(first).rejects.toThrow('410')
  expect(state.kept?.subscriptions).toEqual([])
})
