/** Runs in an open shell, in an engine without processes. */

import { mark } from '@agentpty/engine/testing'
import { runsWaitingMax } from '@agentpty/protocol'
import { expect, test } from 'vitest'
import { openFakeEngine } from '../../fake-engine.ts'

const prompt = `${mark.promptStart}$ ${mark.promptEnd}`

async function openShell() {
  const engine = openFakeEngine()
  const { client, clock } = engine
  const { terminalId } = await client.call('create', { shell: '/bin/sh', waitFor: 'output', waitTimeoutMs: 0 })
  const pty = engine.pty(1)
  pty.prints(prompt)
  let ran = 0
  /** Lets promises settle and time pass in turns, as long as it takes. */
  const until = async (holds: () => boolean, seemsIdle = false) => {
    for (let turn = 0; turn < 500 && !holds(); turn++) {
      await new Promise((resolve) => setImmediate(resolve))
      clock.advance(5)
      // It waits for a line once it has run all of those that were entered.
      const isIdle = pty.written.split('\r').length - 1 === ran
      if (pty.isWatched && !holds() && (isIdle || seemsIdle))
        pty.reports({ wait: 'select', canonical: false, echo: false, name: 'sh' })
    }
    expect(holds()).toBe(true)
  }
  const answered = async <Result>(call: Promise<Result>): Promise<Result> => {
    let isOver = false
    const over = () => {
      isOver = true
    }
    call.then(over, over)
    await until(() => isOver)
    return call
  }
  /** The shell runs a line that it echoes, and draws its prompt again. */
  const runs = (line: string, output: string, code: number) => {
    ran += 1
    pty.prints(`${line}\r\n${mark.start}${output}\r\n${mark.end(code)}${prompt}`)
  }
  const type = (text: string) => client.call('write', { terminalId, data: Buffer.from(text).toString('base64') })
  return { ...engine, pty, terminalId, until, answered, runs, type }
}

test('what another caller types just before is no part of the result', async () => {
  const { client, pty, terminalId, until, answered, runs, type } = await openShell()
  const running = client.call('run', { terminalId, command: 'make' })
  await until(() => pty.written.includes('make\r'))
  void type('date\r')
  // The shell has read the other line first.
  runs('date', 'Friday', 7)
  await new Promise((resolve) => setImmediate(resolve))
  runs('make', 'built', 2)
  expect(await answered(running)).toMatchObject({ outcome: 'met', output: 'built', exitCode: 2 })
})

test('a line that another caller has changed gives no output and no exit code, and a note says so', async () => {
  const { client, pty, terminalId, until, answered, runs, type } = await openShell()
  const running = client.call('run', { terminalId, command: 'make\nmake install' })
  await until(() => pty.written.includes('make\r'))
  void type('rm ')
  runs('rm make', 'gone', 0)
  const ran = await answered(running)
  expect(ran).toMatchObject({ outcome: 'met', output: '', state: 'ready' })
  expect(ran).not.toHaveProperty('exitCode')
  expect(ran.note).toContain('the shell ran another line')
  expect(ran.note).toContain('"make install"')
  expect(pty.written).not.toContain('install')
})

test('what was typed at the prompt before the run began is not taken for its command', async () => {
  const { client, pty, terminalId, until, answered, runs, type } = await openShell()
  await type('date\r')
  // The shell has read the line and not echoed it: it looks as if it waited for one.
  const running = client.call('run', { terminalId, command: 'make' })
  await until(() => pty.written.includes('make\r'), true)
  runs('date', 'Friday', 7)
  await new Promise((resolve) => setImmediate(resolve))
  runs('make', 'built', 2)
  expect(await answered(running)).toMatchObject({ output: 'built', exitCode: 2 })
})

test('reports of a person’s terminal are no input', async () => {
  const { client, pty, terminalId, until, answered, runs, type } = await openShell()
  const running = client.call('run', { terminalId, command: 'one\ntwo' })
  await until(() => pty.written.includes('one\r'))
  void type('\x1b[I')
  runs('one', '1', 0)
  await until(() => pty.written.includes('two\r'))
  runs('two', '2', 0)
  expect(await answered(running)).toMatchObject({ output: '1\n2', exitCode: 0 })
})

test('a bounded number of runs waits for one shell', async () => {
  const { client, pty, terminalId, until, answered, runs } = await openShell()
  const first = client.call('run', { terminalId, command: 'sleep 9' })
  await until(() => pty.written.includes('sleep 9\r'))
  const waiting = Array.from({ length: runsWaitingMax }, () =>
    client.call('run', { terminalId, command: 'make' }).catch((error: unknown) => error),
  )
  await expect(answered(client.call('run', { terminalId, command: 'make' }))).rejects.toMatchObject({
    code: 'shell_busy',
    hint: expect.stringContaining('fresh terminal'),
  })
  runs('sleep 9', '', 0)
  await answered(first)
  pty.exits()
  const [next, ...others] = await answered(Promise.all(waiting))
  expect(next).toMatchObject({ outcome: 'exited' })
  for (const error of others) expect(error).toMatchObject({ code: 'session_exited' })
})
