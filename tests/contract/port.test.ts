/** What the port offers besides verbs is the same in this process and over the daemon's socket. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../packages/agentpty/src/contracts/client.ts'
import type { TerminalsEvent } from '../../packages/agentpty/src/contracts/session/terminals-event.ts'
import { openEngine } from '../../packages/agentpty/src/index.ts'
import { Instance } from '../e2e/instance.ts'

interface Served {
  readonly client: Client
  close(): Promise<unknown>
}

async function inProcess(): Promise<Served> {
  const engine = await openEngine()
  return { client: engine.client, close: () => engine.close() }
}

async function overSocket(): Promise<Served> {
  const instance = new Instance()
  return { client: await instance.rpc(), close: async () => expect(await instance.stop()).toEqual([]) }
}

const names = ({ terminals }: TerminalsEvent) => terminals.map(({ terminalId, name }) => name ?? terminalId)

describe.each([
  ['in this process', inProcess],
  ['over the socket', overSocket],
])('%s', (_face, open) => {
  let served: Served
  beforeAll(async () => {
    served = await open()
  })
  afterAll(() => served.close())

  test('terminals that come, get another name and go are reported, and the stream ends when it is cancelled', async () => {
    const { client } = served
    const stop = new AbortController()
    const seen: string[][] = []
    const steps = [
      () => client.call('create', { name: 'one', command: ['cat'] }),
      () => client.call('rename', { terminalId: 'one', name: 'other' }),
      () => client.call('close', { terminalId: 'other' }),
      () => Promise.resolve(stop.abort()),
    ]
    for await (const event of client.watch({ signal: stop.signal })) {
      seen.push(names(event))
      await steps.shift()?.()
    }
    expect(seen).toEqual([[], ['one'], ['other'], []])
  })

  test('a signal reaches the program in the foreground, and is refused once that has ended', async () => {
    const { client } = served
    const handle = "signal.signal(signal.SIGUSR1, lambda *_: (print('got it'), sys.exit(7)))"
    const command = ['python3', '-c', `import signal, sys; ${handle}; print('up', flush=True); signal.pause()`]
    const { terminalId } = await client.call('create', { command, waitFor: { text: 'up' } })
    expect(await client.call('signal', { terminalId, signal: 'SIGUSR1' })).toEqual({ signalled: true })
    const { output, exitCode } = await client.call('read', { terminalId, since: 0, waitFor: 'exit' })
    expect([output, exitCode]).toEqual(['up\ngot it', 7])
    await expect(client.call('signal', { terminalId, signal: 'SIGTERM' })).rejects.toMatchObject({
      code: 'session_exited',
    })
    await client.call('close', { terminalId })
  })

  test('changes while the reader is busy are one', async () => {
    const { client } = served
    const watching = client.watch()[Symbol.asyncIterator]()
    expect(await watching.next()).toMatchObject({ value: { terminals: [] } })
    const opened = await Promise.all([1, 2, 3].map(() => client.call('create', { command: ['cat'] })))
    const terminalIds = opened.map(({ terminalId }) => terminalId)
    let listed: readonly string[] = []
    let events = 0
    for (; listed.length < 3; events++) listed = names((await watching.next()).value as TerminalsEvent)
    expect([...listed].toSorted()).toEqual(terminalIds.toSorted())
    expect(events).toBeLessThanOrEqual(3)
    await watching.return?.()
    await client.call('close', { terminalIds })
  })

  test('a stream that nobody reads on holds up neither calls nor another stream, and loses nothing', async () => {
    const { client } = served
    const { terminalId } = await client.call('create', { command: ['sh', '-c', 'seq 1 200000; exec cat'] })
    const slow = client.follow(terminalId, { output: { since: 0 } })[Symbol.asyncIterator]()
    const [first] = [(await slow.next()).value]
    expect(first).toMatchObject({ type: 'output', offset: 0 })
    const stop = new AbortController()
    let [read, tail] = [0, '']
    for await (const event of client.follow(terminalId, { output: { since: 0 }, signal: stop.signal })) {
      if (event.type === 'output') read = event.offset + event.bytes.length
      // A piece may end anywhere.
      if (event.type === 'output') tail = `${tail}${Buffer.from(event.bytes)}`.slice(-80)
      if (tail.includes('200000')) stop.abort()
    }
    expect((await client.call('send', { terminalId, text: 'still here' })).output).toContain('still here')
    let next = first?.type === 'output' ? first.offset + first.bytes.length : 0
    while (next < read) {
      const { value } = await slow.next()
      if (value?.type !== 'output') throw new Error('the stream has ended')
      expect([value.offset, value.missedBytes]).toEqual([next, 0])
      next += value.bytes.length
    }
    await slow.return?.()
    await client.call('close', { terminalId })
  })
})

test('a server in this process has no daemon to ask, and says so', async () => {
  const { client, close } = await inProcess()
  await expect(client.control.status()).rejects.toMatchObject({ code: 'no_daemon' })
  await expect(client.tools.call('tty-use', 'tty_use', {})).rejects.toMatchObject({ code: 'no_daemon' })
  await close()
})
