/** The port's functions besides verbs are the same in this process and over the daemon's socket. */

import { type Client, isInServer } from '@agentpty/protocol'
import type { TerminalsEvent } from '@agentpty/protocol/session'
import type { CallOptions } from '@agentpty/protocol/testing'
import { WireClient } from '@agentpty/protocol/wire'
import { openEngine } from 'agentpty'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connected, signIn } from '../harness/device.ts'
import { Instance } from '../harness/instance.ts'
import { sharedFolder } from './suite.ts'

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

  test('new, renamed and closed terminals are reported, and the stream ends when cancelled', async () => {
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

  test('a signal reaches the foreground program, and is refused after its end', async () => {
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

  test('changes while the reader is busy are merged into one', async () => {
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

  test('a stream that is not read delays neither calls nor another stream, and loses nothing', async () => {
    const { client } = served
    const { terminalId } = await client.call('create', { command: ['sh', '-c', 'seq 1 200000; exec cat'] })
    const slow = client.follow(terminalId, { output: { since: 0 } })[Symbol.asyncIterator]()
    const first = (await slow.next()).value
    expect(first).toMatchObject({ type: 'output', offset: 0 })
    const stop = new AbortController()
    let read = 0
    let tail = ''
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

test('a server in this process has no daemon, and reports that', async () => {
  const { client, close } = await inProcess()
  await expect(client.control.status()).rejects.toMatchObject({ code: 'no_daemon' })
  await expect(client.tools.call('tty-use', 'tty_use', {})).rejects.toMatchObject({ code: 'no_daemon' })
  await close()
})

/** The page's wire, as a signed-in browser has it. */
async function overWebSocket(): Promise<Served> {
  const instance = new Instance()
  const { stdout } = await instance.cli('open', '--print')
  const { web } = await connected(await signIn(stdout.trim()))
  const client = new WireClient({
    open: ({ message, closed }) => {
      web.on('message', (data) => message(String(data)))
      web.on('close', closed)
    },
    send: (text) => web.send(text),
    close: () => web.close(),
  })
  return { client, close: async () => expect(await instance.stop()).toEqual([]) }
}

/** A full-screen program that prints a row ending in blanks, and reads nothing. */
const deaf = "import time, tty; tty.setraw(0); print('\\x1b[?1049hup   ', end='\\r\\n', flush=True); time.sleep(600)"

const options: Readonly<Record<keyof CallOptions, (client: Client) => Promise<void>>> = {
  signal: async (client) => {
    const { terminalId } = await client.call('create', { command: ['cat'], waitFor: 'none' })
    const stop = new AbortController()
    const waiting = client.call('wait', { terminalIds: [terminalId], waitFor: 'exit' }, { signal: stop.signal })
    stop.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' })
  },
  progress: async (client) => {
    const { terminalId } = await client.call('create', { command: ['cat'], waitFor: 'none' })
    const stop = new AbortController()
    const wait = { terminalIds: [terminalId], waitFor: 'exit' as const }
    await new Promise<void>((resolve) => {
      const progress = (waitedMs: number, totalMs: number) => waitedMs > 0 && totalMs > waitedMs && resolve()
      client.call('wait', wait, { signal: stop.signal, progress }).catch(() => undefined)
    })
    stop.abort()
  },
  outputBytes: async (client) => {
    const { terminalId } = await client.call('create', { shell: '/bin/bash' })
    const command = 'head -c 60000 /dev/urandom | base64 -w 60 > words; cat words'
    for (const where of [{}, { terminalId }]) {
      const short = await client.call('run', { ...where, command, cwd: sharedFolder() })
      const whole = await client.call('run', { ...where, command, cwd: sharedFolder() }, { outputBytes: 200_000 })
      expect([short.output.length < 20_000, whole.output.split('\n').length]).toEqual([true, 1_334])
    }
  },
  keepsBlanks: async (client) => {
    const { terminalId } = await client.call('create', { command: ['python3', '-c', deaf], waitFor: { text: 'up' } })
    const look = async (keepsBlanks: boolean) => {
      const { screen } = await client.call('screenshot', { terminalId, format: 'plain' }, { keepsBlanks })
      return screen.split('\n')[0]
    }
    expect([await look(false), await look(true)]).toEqual(['up', 'up   '])
  },
  waitMsMax: async (client) => {
    const { terminalId } = await client.call('create', { command: ['cat'], waitFor: 'none' })
    const wait = { terminalIds: [terminalId], waitFor: 'exit' as const, waitTimeoutMs: 50_000 }
    expect((await client.call('wait', wait, { waitMsMax: 10 })).terminals).toMatchObject([{ outcome: 'timeout' }])
  },
  typingMsMax: async (client) => {
    const { terminalId } = await client.call('create', { command: ['python3', '-c', deaf], waitFor: { text: 'up' } })
    const settled: string[] = []
    // Without the option, Enter waits five seconds for a program that reads nothing.
    const typed = client.call('send', { terminalId, text: 'word', waitFor: 'none' }, { typingMsMax: 10 })
    const other = client.call('wait', { terminalIds: [terminalId], waitFor: 'exit', waitTimeoutMs: 4_000 })
    await Promise.all([typed.then(() => settled.push('typed')), other.then(() => settled.push('waited'))])
    expect(settled).toEqual(['typed', 'waited'])
  },
}

describe.each([
  ['in this process', inProcess],
  ['over the socket', overSocket],
  ['over a WebSocket', overWebSocket],
])('the options of a call %s', (_face, open) => {
  let served: Served
  beforeAll(async () => {
    served = await open()
  })
  afterAll(() => served.close())

  test.each(Object.entries(options))('%s', async (_name, holds) => holds(served.client))

  test('an option out of bounds is refused with its name', async () => {
    const wrong = served.client.call('list', {}, { outputBytes: -1 })
    if (isInServer(served.client)) await wrong
    else
      await expect(wrong).rejects.toMatchObject({
        code: 'invalid_input',
        message: expect.stringContaining('outputBytes'),
      })
  })
})
