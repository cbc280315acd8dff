/** Client and server with nothing but a queue between them. */

import { expect, test } from 'vitest'
import type { Client } from '../client.ts'
import { streamEventsAheadMax } from '../limits.ts'
import type { SessionEvent } from '../session/events.ts'
import { fromWireError } from './messages.ts'
import type { Wire, WireHandlers } from './wire.ts'
import { WireClient } from './wire-client.ts'
import { WireServer } from './wire-server.ts'

/** A client whose server is `served`; `sent` counts the events on their way to it. */
function connected(served: Client): {
  readonly client: WireClient
  readonly sent: () => number
  readonly lose: () => void
} {
  let handlers: WireHandlers | null = null
  let events = 0
  const server = new WireServer({
    client: served,
    room: () => null,
    send: (message) => {
      if (message.startsWith('{"event"')) events += 1
      queueMicrotask(() => handlers?.message(message))
    },
  })
  const wire: Wire = {
    open: (given) => {
      handlers = given
    },
    send: (message) => void server.receive(message),
    close: () => server.close(),
  }
  return { client: new WireClient(wire), sent: () => events, lose: () => handlers?.closed() }
}

function printing(count: number): Client {
  async function* follow(): AsyncGenerator<SessionEvent> {
    for (let offset = 0; offset < count; offset++)
      yield { type: 'output', offset, bytes: Buffer.from('x'), next: offset + 1, missedBytes: 0 }
  }
  return { follow, call: async () => ({ terminals: [] }) } as unknown as Client
}

const turnOfTheLoop = () => new Promise((resolve) => setImmediate(resolve))

test('a stream that is not read is sent no further than a bound, while calls are answered', async () => {
  const { client, sent } = connected(printing(1_000))
  const events = client.follow('term-1', { output: { since: 0 } })[Symbol.asyncIterator]()
  await events.next()
  for (let turns = 0; turns < 20; turns++) await turnOfTheLoop()
  expect(sent()).toBeLessThanOrEqual(streamEventsAheadMax)
  expect(await client.call('list', {})).toEqual({ terminals: [] })
})

test('a stream that is read comes whole and in its order', async () => {
  const { client } = connected(printing(1_000))
  const offsets: number[] = []
  for await (const event of client.follow('term-1', { output: { since: 0 } }))
    if (event.type === 'output') offsets.push(event.offset)
  expect(offsets).toEqual([...Array(1_000).keys()])
})

test('when the wire is lost, open calls and streams fail, and later ones too', async () => {
  const never = { follow: () => neverEnding(), call: () => new Promise(() => {}) } as unknown as Client
  const { client, lose } = connected(never)
  const call = client.call('list', {})
  const event = client.follow('term-1', {})[Symbol.asyncIterator]().next()
  lose()
  for (const lost of [call, event, client.call('list', {})])
    await expect(lost).rejects.toMatchObject({ code: 'daemon_gone' })
})

async function* neverEnding(): AsyncGenerator<SessionEvent> {
  await new Promise(() => {})
}

test.each([
  ['machine_unfit', 'machine_unfit'],
  ['environment', 'machine_unfit'],
  ['from_a_later_version', 'internal'],
])('the code %s of another daemon is read as %s', (code, want) => {
  expect(fromWireError({ code, message: 'm', hint: 'h' }).code).toBe(want)
})
