import { TermError } from '@agentpty/protocol'
import { FakeClock } from '@agentpty/protocol/testing'
import type { WireClient } from '@agentpty/protocol/wire'
import { beforeEach, expect, test } from 'vitest'
import { Observable } from '../link/observable.ts'
import { FakeDaemon, settled } from '../testing/fake-daemon.ts'
import { forgetAll } from '../testing/vscode.ts'
import { TaskTerminal } from './task-terminal.ts'

beforeEach(forgetAll)

async function start(daemon = new FakeDaemon(), isConnected = true) {
  daemon.answers.set('create', daemon.answers.get('create') ?? { terminalId: 'term-7' })
  const client = new Observable<WireClient | null>(isConnected ? daemon.client : null)
  const heard: string[] = []
  const clock = new FakeClock()
  const pty = new TaskTerminal({
    program: { name: 'build', command: 'make', cwd: '/work', env: { CI: '1' } },
    client,
    clock,
    opening: (open) => open(),
    say: (words) => heard.push(words),
    opened: (id, _pty, name) => heard.push(`opened ${id} ${name}`),
    closed: (id) => heard.push(`closed ${id}`),
  })
  const drawn: string[] = []
  const ends: number[] = []
  pty.onDidWrite((text) => drawn.push(text))
  pty.onDidClose((code) => ends.push(code))
  pty.open({ columns: 100, rows: 20 })
  await settled()
  return { daemon, client, clock, pty, heard, drawn, ends }
}

const output = (offset: number, text: string) => ({ type: 'output', offset, bytes: Buffer.from(text) }) as never
const exit = (code: number | null) => ({ type: 'exit', exit: { code, signal: null } }) as never

test('its command is started at the size of the tab, drawn from the beginning, and its exit code is the task’s', async () => {
  const { daemon, clock, heard, drawn, ends } = await start()
  const size = { cols: 100, rows: 20 }
  const input = { name: 'build', command: 'make', cwd: '/work', env: { CI: '1' }, waitFor: 'none', ...size }
  expect(daemon.inputsOf('create')).toEqual([input])
  expect(heard).toEqual(['opened term-7 build'])
  expect(daemon.follow.options).toMatchObject({ output: { since: 0 } })
  await daemon.follow.send(output(0, 'a.c:1: error\r\n'), exit(2))
  // The editor would report an earlier end as a program that did not start.
  expect(ends).toEqual([])
  clock.advance(600)
  expect([drawn.join(''), ends]).toEqual(['a.c:1: error\r\n', [2]])
})

test('after a lost connection it continues with the next byte', async () => {
  const { daemon, client, drawn } = await start()
  await daemon.follow.send(output(0, 'one '))
  await daemon.follow.fail(new TermError('daemon_gone', 'The daemon has ended.', ''))
  client.set(null)
  client.set(daemon.client)
  await settled()
  expect(daemon.follows.at(-1)?.options).toMatchObject({ output: { since: 4 } })
  await daemon.follows.at(-1)?.send(output(4, 'two'))
  expect(drawn.join('')).toBe('one two')
})

test('closing it ends its program', async () => {
  const { daemon, pty, heard } = await start()
  pty.close()
  await settled()
  expect(daemon.inputsOf('close')).toEqual([{ terminalId: 'term-7' }])
  expect(heard).toContain('closed term-7')
})

test('a task that has ended keeps its terminal until its tab is closed', async () => {
  const { daemon, pty } = await start()
  expect(pty.hasEnded).toBe(false)
  await daemon.follow.send(exit(0))
  expect([pty.hasEnded, daemon.inputsOf('close')]).toEqual([true, []])
  for (let times = 0; times < 2; times++) pty.close()
  await settled()
  expect(daemon.inputsOf('close')).toHaveLength(1)
})

test('a program that ends by a signal or disappears has failed', async () => {
  const { daemon, clock, ends } = await start()
  await daemon.follow.fail(new TermError('session_not_found', 'Closed.', ''))
  const other = await start()
  await other.daemon.follow.send(exit(null))
  for (const one of [clock, other.clock]) one.advance(600)
  expect([...ends, ...other.ends]).toEqual([130, 130])
})

test.each([
  ['without a connection', new FakeDaemon(), false, 'agentpty is not connected. The command was not started.\r\n'],
  ['in a folder that is not there', failing(), true, 'No such folder. Name one.\r\n'],
])('%s the task fails with the reason', async (_, daemon, isConnected, words) => {
  const { drawn, ends } = await start(daemon, isConnected)
  expect([drawn, ends]).toEqual([[words], [1]])
})

function failing(): FakeDaemon {
  const daemon = new FakeDaemon()
  daemon.answers.set('create', new TermError('invalid_input', 'No such folder.', 'Name one.'))
  return daemon
}
