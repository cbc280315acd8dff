import { type FakeSession, openFakeSession } from '@agentpty/engine/testing'
import type { Facts } from '@agentpty/protocol'
import { expect, test } from 'vitest'
import { assertInstructable } from './assert-instructable.ts'

const inEventLoop: Partial<Facts> = {
  canonical: false,
  echo: false,
  wait: 'epoll',
  otherFds: 6,
  sockets: 2,
  threads: 12,
  timeoutMs: 900,
  foreground: 100,
  waiter: 100,
  waiterThread: 100,
  name: 'agent',
}
const line = '─'.repeat(60)
const box = `\x1b[H\x1b[2K${line}\r\n\x1b[2K❯ \r\n\x1b[2K${line}\x1b[2;3H`

async function pass({ clock, pty }: FakeSession, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 50) {
    clock.advance(50)
    pty.reports(inEventLoop)
    await new Promise(setImmediate)
    await new Promise(setImmediate)
  }
}

/** The fate of the wait for an agent that has just started. */
function starting() {
  const agent = openFakeSession({ info: { argv: ['agent'], shell: null } })
  agent.pty.prints('\x1b[?1049h\x1b[?2004h')
  agent.pty.reports(inEventLoop)
  const state = { is: 'waiting' }
  const settle = (is: string) => {
    state.is = is
  }
  const context = { client: 'test', cwd: '/', env: {} }
  assertInstructable({ clock: agent.clock }, agent.session, 30_000, context).then(
    () => settle('instructable'),
    ({ code }) => settle(code),
  )
  return { agent, state }
}

test('an agent that has taken the screen and drawn nothing on it cannot be instructed, however long it is still', async () => {
  const { agent, state } = starting()
  await pass(agent, 8_000)
  expect(state.is).toBe('waiting')
  agent.pty.prints(`\x1b]0;x\x07${box}`)
  await pass(agent, 8_000)
  expect(state.is).toBe('instructable')
})

test('one that goes on drawing after its box is not instructed before it is still', async () => {
  const { agent, state } = starting()
  agent.pty.prints(box)
  for (let part = 0; part < 10; part++) {
    agent.pty.prints(`\x1b[5;1Hpart ${part}\x1b[2;3H`)
    await pass(agent, 400)
    expect(state.is).toBe('waiting')
  }
  await pass(agent, 8_000)
  expect(state.is).toBe('instructable')
})
