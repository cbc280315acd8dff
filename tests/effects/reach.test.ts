/** Servers and processes outside the terminal: a gate asks before a program connects to one, signals one, or debugs one. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { open, openHost, type TestHost } from '../harness/host-fixture.ts'
import { scratchFolder } from '../harness/scratch.ts'
import { GatedTerminal } from './gated-terminal.ts'

let host: TestHost
beforeAll(async () => {
  host = await openHost()
})
afterAll(() => host.stop())

const scratch = scratchFolder()
const sockets = join(scratch, 'run')
const server = join(sockets, 'server.sock')
mkdirSync(sockets)

async function run(script: string, answer?: 'allow' | 'deny', setting = 'asks 600000\n'): Promise<GatedTerminal> {
  const env = { HOME: scratch, PATH: process.env['PATH'] ?? '', TMUX_TMPDIR: sockets, SERVER: server }
  const gate = `${setting}free ${tmpdir()}\nserver example ${server}\nserver tmux ${sockets}/tmux-*\n`
  const { pty } = await open(host.link, ['/bin/bash', '-c', script], { env, cwd: scratch, gate })
  const terminal = new GatedTerminal(pty)
  if (answer !== undefined) await terminal.answer(answer)
  await terminal.recorder.exit
  await pty.close({ graceMs: 100, leaveDaemons: false })
  return terminal
}

const asked = (terminal: GatedTerminal) => terminal.questions.map(({ verb, area, path }) => [verb, area, path])

/** Reads what the server says, over a socket whose kind the arguments choose. */
const client = (flags = '') => `python3 -c '
import os, socket
s = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM${flags})
s.connect(os.environ["SERVER"])
print(s.recv(9).decode(), s.getblocking(), os.get_inheritable(s.fileno()))'`

describe('a server outside', () => {
  let process: ChildProcess
  beforeEach(async () => {
    process = spawn('python3', ['-uc', serverCode, server], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(process.stdout as NodeJS.ReadableStream, 'data')
  })
  afterEach(async () => {
    process.kill()
    await once(process, 'exit')
  })

  test('is connected to once that is allowed, and the program has its socket', async () => {
    const terminal = await run(client(), 'allow')
    expect(asked(terminal)).toEqual([['connect', 'example', `example${server}`]])
    expect(terminal.text).toBe('hello True False\r\n')
  })

  test('is reached by another name of its socket only when that is allowed', async () => {
    const terminal = await run(`ln -s $SERVER other; SERVER=other; ${client()}; rm other`, 'deny')
    expect(asked(terminal)).toEqual([['connect', 'example', `example${server}`]])
    expect(terminal.text).toContain('PermissionError')
  })

  test('is only noted by a gate that keeps a journal', async () => {
    const terminal = await run(client(), undefined, '')
    expect(asked(terminal)).toEqual([['connect', 'example', `example${server}`]])
    expect(terminal.text).toBe('hello True False\r\n')
  })
})

/** Takes the place of a socket that is there, and says hello to each client. */
const serverCode = `
import os, socket, sys
path = sys.argv[1]
if os.path.exists(path): os.remove(path)
s = socket.socket(socket.AF_UNIX); s.bind(path); s.listen(); print("listens")
while True:
    c, _ = s.accept()
    try: c.send(b"hello")
    except OSError: pass
    c.close()`

test('a server that the terminal has started is free, and so is one that does not listen', async () => {
  const terminal =
    await run(`python3 -uc '${serverCode}' $SERVER > ready & until [ -s ready ]; do read -t 0.01 < <(:); done
    ${client()}; kill %1; wait; ${client()}`)
  expect(asked(terminal)).toEqual([])
  expect(terminal.text).toMatch(/^hello True False\r\n[\s\S]*ConnectionRefusedError/)
})

describe('tmux', () => {
  const tmux = (...args: readonly string[]) =>
    spawnSync('tmux', args, { env: { ...process.env, TMUX_TMPDIR: sockets }, encoding: 'utf8' })
  afterEach(() => {
    tmux('kill-server')
  })

  test('that ran before is asked about', async () => {
    tmux('-f/dev/null', 'new-session', '-d', '-s', 'before', 'cat')
    const terminal = await run('tmux list-sessions -F "#{session_name}"', 'allow')
    expect(asked(terminal)).toEqual([['connect', 'tmux', expect.stringMatching(/^tmux.*\/tmux-\d+\/default$/)]])
    expect(terminal.text).toBe('before\r\n')
  })

  test('that the terminal starts is free', async () => {
    const terminal = await run(
      'tmux -f/dev/null new-session -d -s own cat && tmux list-sessions -F "#{session_name}"; tmux kill-server',
    )
    expect(asked(terminal)).toEqual([])
    expect(terminal.text).toBe('own\r\n')
  })
})

describe('a process outside', () => {
  let outside: ChildProcess
  beforeEach(async () => {
    outside = spawn('sh', ['-c', 'echo ready; exec sleep 1000'], {
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    })
    await once(outside.stdout as NodeJS.ReadableStream, 'data')
  })
  afterEach(async () => {
    if (outside.exitCode !== null || outside.signalCode !== null) return
    outside.kill('SIGKILL')
    await once(outside, 'exit')
  })

  test.each([
    ['kill', () => `kill ${outside.pid}`],
    ['the kill of a group', () => `kill -- -${outside.pid}`],
    ['a queued signal', () => `/bin/kill -q 5 ${outside.pid}`],
    [
      'a signal through a descriptor',
      () => `python3 -c 'import os, signal; signal.pidfd_send_signal(os.pidfd_open(${outside.pid}), 15)'`,
    ],
  ])('is ended by %s once that is allowed', async (_name, script) => {
    const ended = once(outside, 'exit')
    const terminal = await run(script(), 'allow')
    expect(asked(terminal)).toEqual([['signal', 'sleep', `sleep/${outside.pid} sleep 1000`]])
    expect(await ended).toEqual([null, 'SIGTERM'])
  })

  test('goes on when its end is denied', async () => {
    const terminal = await run(`kill ${outside.pid} || kill -0 ${outside.pid} && echo alive`, 'deny')
    expect(terminal.text).toMatch(/Permission denied\r\nalive\r\n$/)
  })

  test.each([
    ['a debugger', () => `strace -qq -e trace=none -p ${outside.pid}`],
    ['a write into its memory', () => `python3 -c 'open("/proc/${outside.pid}/mem", "wb")'`],
  ])('is not reached by %s when that is denied', async (_name, script) => {
    const terminal = await run(script(), 'deny')
    expect(asked(terminal)).toEqual([['trace', 'sleep', `sleep/${outside.pid} sleep 1000`]])
    expect(terminal.text).toMatch(/denied/)
  })
})

test('kill -1 is asked about', async () => {
  const terminal = await run('kill -- -1', 'deny')
  expect(asked(terminal)).toEqual([['signal', 'every process', 'every process/of this user']])
})

test.each([
  ['its own child', 'sleep 1000 & kill $!; wait $!; echo "code $?"'],
  ['its own group', 'trap "" TERM; kill 0; echo "code 143"'],
  ['a job whose first process has ended', 'set -m; true | sleep 1000 & kill %1; wait %1; echo "code $?"'],
  [
    'a process that left its session',
    'pid=$(setsid sh -c "sleep 1000 > /dev/null & echo \\$!"); kill $pid && echo "code 143"',
  ],
])('a signal to %s is free', async (_name, script) => {
  const terminal = await run(script)
  expect(asked(terminal)).toEqual([])
  expect(terminal.text).toContain('code 143')
})

test('a debugger may start and debug programs', async () => {
  const terminal = await run('strace -qq -e trace=none true; echo "code $?"')
  expect([asked(terminal), terminal.text]).toEqual([[], 'code 0\r\n'])
})
