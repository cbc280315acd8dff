import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { Client } from '../client.ts'
import { WireServer } from './wire-server.ts'

test('a call whose number is open already is refused, and the open one is still taken back with its connection', async () => {
  const taken: string[] = []
  const client = {
    call: (name: string, _input: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          taken.push(name)
          resolve({})
        })
      }),
  } as unknown as Client
  const server = new WireServer({ client, send: () => {}, room: () => null })
  server.receive('{"id":5,"method":"wait"}')
  assert.throws(() => server.receive('{"id":5,"method":"list"}'), /open already/)
  server.close()
  assert.deepEqual(taken, ['wait'])
})
