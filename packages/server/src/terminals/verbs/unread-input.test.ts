/** Input that a program does not take, in an engine without processes. */

import assert from 'node:assert/strict'
import { mark } from '@agentpty/engine/testing'
import type { FakePtyHostOptions } from '@agentpty/protocol/testing'
import { expect, test } from 'vitest'
import { openFakeEngine } from '../../fake-engine.ts'

const notRead = 'The program has not read all of the input yet.'
const atPrompt = `${mark.promptStart}$ ${mark.promptEnd}`

async function openShell(output: string, options: FakePtyHostOptions = {}) {
  const engine = openFakeEngine(options)
  const { terminalId } = await engine.client.call('create', {
    shell: '/bin/sh',
    waitFor: 'output',
    waitTimeoutMs: 0,
  })
  const pty = engine.pty(1)
  pty.prints(output)
  pty.deliver()
  return { ...engine, pty, terminalId }
}

/** Lets promises settle and time pass in turns, until the call is answered. */
async function answered<Result>(call: Promise<Result>, advance: (ms: number) => void): Promise<Result> {
  let isOver = false
  const over = () => {
    isOver = true
  }
  call.then(over, over)
  for (let turn = 0; turn < 200 && !isOver; turn++) {
    await new Promise((resolve) => setImmediate(resolve))
    advance(10)
  }
  assert.ok(isOver, 'the call is not answered after two seconds')
  return call
}

test('keys that are not read come back with the deadline', async () => {
  const { client, clock, pty, terminalId } = await openShell('')
  pty.stopsReading()
  const pressed = client.call('sendKeys', { terminalId, keys: ['enter'], waitFor: 'ready', waitTimeoutMs: 500 })
  const { outcome, note } = await answered(pressed, (ms) => clock.advance(ms))
  assert.deepEqual({ outcome, note }, { outcome: 'timeout', note: notRead })
})

test('a command that the shell does not read comes back with the deadline', async () => {
  const { client, clock, pty, terminalId } = await openShell(atPrompt)
  const advance = (ms: number) => {
    clock.advance(ms)
    if (pty.isWatched) pty.reports({ wait: 'select', canonical: false, echo: false, name: 'sh' })
  }
  pty.stopsReading()
  const ran = client.call('run', { terminalId, command: 'ls', timeoutMs: 500 })
  const { outcome, note } = await answered(ran, advance)
  assert.deepEqual({ outcome, note }, { outcome: 'timeout', note: notRead })
})

test('text refused by a program that has just ended fails its call, and nothing else', async () => {
  const { client, clock, pty, terminalId } = await openShell('\x1b[?1049h', { delivery: 'held' })
  // The host knows of the end before the engine does, and the Enter waits for the text to be drawn.
  pty.exits()
  const sent = client.call('send', { terminalId, text: 'hello', waitFor: 'none' })
  const failure = answered(sent, (ms) => clock.advance(ms))
  await expect(failure).rejects.toMatchObject({ code: 'session_exited' })
})
