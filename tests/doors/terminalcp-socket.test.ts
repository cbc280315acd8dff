/** terminalcp's socket, as a client of its protocol uses it. */

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { program, until } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'

const instance = scratchInstance()
const path = join(instance.user, '.terminalcp', 'server.sock')
let server: ChildProcess
let people: readonly Person[] = []

interface Message {
  readonly id?: string
  readonly type: string
  readonly event?: string
  readonly sessionId?: string
  readonly data?: unknown
  readonly result?: unknown
  readonly error?: string
}

class Person {
  readonly messages: Message[] = []
  readonly #socket: Socket
  #rest = ''
  #asked = 0

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => {
      const lines = (this.#rest + text).split('\n')
      this.#rest = lines.pop() ?? ''
      for (const line of lines) this.messages.push(JSON.parse(line))
    })
  }

  static async connects(): Promise<Person> {
    const socket = connect(path)
    await once(socket, 'connect')
    const person = new Person(socket)
    people = [...people, person]
    return person
  }

  says(line: string): void {
    this.#socket.write(`${line}\n`)
  }

  async asks(args: Readonly<Record<string, unknown>>): Promise<Message> {
    const id = `req-${++this.#asked}`
    this.says(JSON.stringify({ id, type: 'request', args }))
    return this.hears((message) => message.id === id)
  }

  async hears(is: (message: Message) => boolean): Promise<Message> {
    await until(() => this.messages.some(is))
    const heard = this.messages.find(is)
    assert(heard !== undefined, JSON.stringify(this.messages))
    return heard
  }

  /** All output events of a session, joined. */
  output(id: string): string {
    const own = this.messages.filter(({ event, sessionId }) => event === 'output' && sessionId === id)
    return own.map(({ data }) => data).join('')
  }

  leaves(): void {
    this.#socket.destroy()
  }
}

beforeAll(async () => {
  server = spawn(process.execPath, [program, 'terminalcp', '--server'], { env: { ...instance.env } })
  assert(server.stdout !== null)
  await once(server.stdout, 'data')
})

afterAll(async () => {
  for (const person of people) person.leaves()
  server.kill('SIGTERM')
  if (server.exitCode === null) await once(server, 'exit')
  expect(existsSync(path)).toBe(false)
})

test('only its user may connect', () => {
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700)
})

test('a second server leaves the first one alone', async () => {
  const { code, stderr } = await instance.cli('terminalcp', '--server')
  expect(code).toBe(1)
  expect(stderr).toContain(`A terminalcp server has ${path} already.`)
  expect(await (await Person.connects()).asks({ action: 'version' })).toMatchObject({ result: '1.3.3' })
})

test('requests are answered, and a session’s starter receives its output and its end', async () => {
  const person = await Person.connects()
  expect(await person.asks({ action: 'list' })).toMatchObject({ type: 'response', result: '' })
  expect(await person.asks({ action: 'start', command: 'cat', name: 'a' })).toMatchObject({ result: 'a' })
  expect(await person.asks({ action: 'stdin', id: 'a', data: 'grüße\r' })).toMatchObject({ result: '' })
  await until(() => person.output('a') === 'grüße\r\ngrüße\r\n')
  expect(person.output('a')).toBe('grüße\r\ngrüße\r\n')
  expect(await person.asks({ action: 'stdout', id: 'a' })).toMatchObject({ result: 'grüße\ngrüße' })
  await person.asks({ action: 'stdin', id: 'a', data: '\x04' })
  expect(await person.hears(({ event }) => event === 'exit')).toMatchObject({ sessionId: 'a', data: { exitCode: 0 } })
  expect(await person.asks({ action: 'stop', id: 'a' })).toMatchObject({ result: 'stopped a' })
})

test('a client that attaches gets the output so far, then new output and sizes, until it detaches', async () => {
  const one = await Person.connects()
  const two = await Person.connects()
  await one.asks({ action: 'start', command: 'echo before; cat', name: 'b' })
  await until(() => one.output('b').includes('before'))
  expect(await two.asks({ action: 'attach', id: 'b' })).toMatchObject({
    result: { cols: 80, rows: 24, rawOutput: 'before\r\n' },
  })
  await one.asks({ action: 'stdin', id: 'b', data: 'x\r' })
  await until(() => two.output('b') === 'x\r\nx\r\n')
  expect(two.output('b')).toBe('x\r\nx\r\n')
  await one.asks({ action: 'resize', id: 'b', cols: 100, rows: 30 })
  expect(await two.hears(({ event }) => event === 'resize')).toMatchObject({ data: { cols: 100, rows: 30 } })
  await two.asks({ action: 'detach', id: 'b' })
  await one.asks({ action: 'stdin', id: 'b', data: 'y\r' })
  await until(() => one.output('b').endsWith('y\r\ny\r\n'))
  await two.asks({ action: 'version' })
  expect(two.output('b')).toBe('x\r\nx\r\n')
  await one.asks({ action: 'stop', id: 'b' })
})

test('a client that attaches to too much output gets the end, no character cut, and a note on the rest', async () => {
  const one = await Person.connects()
  const two = await Person.connects()
  await one.asks({ action: 'start', command: `python3 -c "print('é' * 2_500_000)"; cat`, name: 'c' })
  await until(() => one.output('c').endsWith('\r\n'))
  const attached = await two.asks({ action: 'attach', id: 'c' })
  const { rawOutput } = (attached as { result: { rawOutput: string } }).result
  expect(rawOutput.slice(0, 40)).toMatch(/^\[\d+ earlier bytes are left out]\né/)
  expect(rawOutput.includes('\uFFFD')).toBe(false)
  await one.asks({ action: 'stop', id: 'c' })
})

test.each<[string, string, Message]>([
  ['a line that is not JSON', 'nonsense', { id: 'invalid-request', type: 'response', error: 'Invalid JSON' }],
  [
    'a request without args',
    '{"id":"2","type":"request"}',
    { id: '2', type: 'response', error: 'Missing required fields' },
  ],
  [
    'an unknown session',
    '{"id":"3","type":"request","args":{"action":"attach","id":"nope"}}',
    { id: '3', type: 'response', error: 'Process not found: nope' },
  ],
])('%s is refused, and the server continues', async (_name, line, answer) => {
  const person = await Person.connects()
  person.says(line)
  expect(await person.hears(({ id }) => id === answer.id)).toEqual(answer)
  expect(await person.asks({ action: 'version' })).toMatchObject({ result: '1.3.3' })
})

test('the sessions and the socket survive a daemon', async () => {
  const person = await Person.connects()
  await person.asks({ action: 'start', command: 'cat', name: 'c' })
  await instance.killDaemon()
  await until(async () => (await person.asks({ action: 'list' })).error === undefined)
  expect(await person.asks({ action: 'list' })).toMatchObject({ result: expect.stringContaining('c running') })
  expect(await person.asks({ action: 'stop', id: 'c' })).toMatchObject({ result: 'stopped c' })
})
