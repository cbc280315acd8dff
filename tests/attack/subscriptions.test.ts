/** Clients that follow, subscribe and cancel, thousands of times, leave nothing behind and occupy no slot. */

import { readFileSync } from 'node:fs'
import { subscribersPerSessionMax, subscriptionsMax } from '@agentpty/protocol'
import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Victim } from './hostile.ts'

const victim = new Victim()
let flood: string
const quiet: string[] = []
beforeAll(async () => {
  await victim.open()
  flood = (await victim.rpc.call('create', { command: ['yes', 'x'.repeat(60)], waitFor: 'none' })).terminalId
  for (let count = 0; count < 20; count += 1)
    quiet.push((await victim.rpc.call('create', { command: ['cat'], waitFor: 'none' })).terminalId)
})
afterAll(async () => {
  // No warning about accumulated listeners was printed.
  expect(readFileSync(victim.instance.paths.log, 'utf8')).toBe('')
  await victim.close()
})

async function unharmed(attack: () => Promise<unknown>): Promise<void> {
  const before = victim.rssMb
  const { heldUpMs, rssMb } = await victim.watch(attack())
  expect(heldUpMs).toBeLessThan(2_000)
  expect(rssMb - before).toBeLessThan(120)
}

/** Follows until the first event, or cancels before it. */
async function glance(terminalId: string, how: 'output' | 'frames' | 'turn', waits: boolean): Promise<void> {
  const taken = new AbortController()
  const { signal } = taken
  const what = { output: { output: { since: 0 } }, frames: { frames: { cols: 80, rows: 24 } }, turn: { turn: true } }[
    how
  ]
  const events = victim.rpc.follow(terminalId, { ...what, signal })[Symbol.asyncIterator]()
  const first = events.next()
  if (waits) await first
  taken.abort()
  await first
  await events.return?.(undefined)
}

test.each<['output' | 'frames' | 'turn', number]>([
  ['output', 1_000],
  ['frames', 1_000],
  ['turn', 1_000],
])('a client that follows %s and cancels %i times', async (how, times) => {
  await unharmed(async () => {
    for (let done = 0; done < times; done += 10) {
      const all = [flood, flood, flood, flood, flood, flood, ...quiet.slice(done % 16, (done % 16) + 4)]
      await Promise.all(all.map((terminalId, at) => glance(terminalId, how, terminalId === flood && at % 2 === 0)))
    }
  })
})

test('afterwards each terminal accepts as many followers as before', async () => {
  const taken = new AbortController()
  const follows = [flood, ...quiet.slice(0, 3)].flatMap((terminalId) =>
    Array.from({ length: subscribersPerSessionMax }, () =>
      victim.rpc.follow(terminalId, { output: { since: 0 }, turn: true, signal: taken.signal })[Symbol.asyncIterator](),
    ),
  )
  const first = await Promise.all(follows.map((one) => one.next()))
  expect(first.every(({ value }) => value !== undefined)).toBe(true)
  const [one] = quiet
  const more = victim.rpc.follow(one ?? '', { turn: true, signal: taken.signal })[Symbol.asyncIterator]()
  await expect(more.next()).rejects.toThrow(/follow .* already/)
  taken.abort()
})

test.each<['stdio' | 'HTTP', () => Promise<{ readonly protocol: Client }>]>([
  ['stdio', () => victim.instance.mcp('old')],
  ['HTTP', () => victim.instance.http('old')],
])('an MCP client over %s that subscribes and cancels 500 times, and then exceeds the limit', async (_way, connect) => {
  const { protocol } = await connect()
  const uriOf = (terminalId: string) => `terminal://${terminalId}/screen`
  await unharmed(async () => {
    for (let done = 0; done < 500; done += 5) {
      const uris = [flood, ...quiet.slice(done % 16, (done % 16) + 4)].map(uriOf)
      await Promise.all(uris.map((uri) => protocol.subscribeResource({ uri })))
      await Promise.all(uris.map((uri) => protocol.unsubscribeResource({ uri })))
    }
  })
  // More than the limit: the last ones are refused, or get no events.
  const uris = Array.from({ length: subscriptionsMax + 10 }, (_, at) => uriOf(`gone-${at}`))
  await Promise.all(uris.map((uri) => protocol.subscribeResource({ uri }).catch(() => undefined)))
  expect(await victim.rpc.call('run', { command: 'echo fine' })).toMatchObject({ output: 'fine' })
})
