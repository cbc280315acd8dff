/** The turn, sampled often enough to hit the moments in between: the wrong verdict must never appear. */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@agentpty/protocol'
import { beforeAll, expect, test } from 'vitest'
import { until } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'

const instance = scratchInstance()
// Programs of these tests start others, which would need a person's approval.
writeFileSync(join(instance.home, 'config.yaml'), 'policy:\n  profile: trusted\n')
let client: Client
beforeAll(async () => {
  client = await instance.rpc()
})

test('a program that ctrl+c is just ending is not reported as waiting', async () => {
  const answers: unknown[] = []
  const interruptOften = async () => {
    const { terminalId } = await client.call('create', { shell: 'bash' })
    for (let i = 0; i < 60; i++) {
      await client.call('send', { terminalId, text: 'cat' })
      const { kind, exitCode } = await client.call('sendKeys', { terminalId, keys: ['ctrl+c'] })
      if (kind !== 'shell' || exitCode !== 130) answers.push({ kind, exitCode })
    }
  }
  await Promise.all([interruptOften(), interruptOften(), interruptOften(), interruptOften()])
  expect(answers).toEqual([])
})

test('output printed before the next wait is always in the result', async () => {
  const wrong: unknown[] = []
  const askOften = async () => {
    const { terminalId } = await client.call('create', { command: ['python3', '-q'] })
    for (let i = 0; i < 150; i++) {
      const answer = await client.call('send', { terminalId, text: `print('x' * 3, ${i})` })
      if (!answer.output.startsWith(`xxx ${i}`) || answer.state !== 'ready') wrong.push(answer)
    }
  }
  await Promise.all([askOften(), askOften()])
  expect(wrong).toEqual([])
})

test('a lone Escape has had its effect when the result arrives', async () => {
  const { terminalId } = await client.call('create', { shell: 'bash' })
  for (let i = 0; i < 5; i++) {
    await client.call('send', { terminalId, text: 'seq 100 | fzf', waitFor: { text: '100/100' } })
    const { kind, exitCode } = await client.call('sendKeys', { terminalId, keys: ['escape'] })
    expect({ kind, exitCode }).toEqual({ kind: 'shell', exitCode: 130 })
  }
})

test('a pane that opens is waited for, and so is immediate input to it', async () => {
  const env = { TMUX_TMPDIR: instance.user, PS1: 'in% ' }
  const command = ['tmux', '-f', '/dev/null', 'new', 'bash', '--norc', '-i']
  const { terminalId } = await client.call('create', { command, env, waitFor: { text: 'in% ' } })
  for (const key of ['"', 'c', '%']) {
    await client.call('sendKeys', { terminalId, keys: ['ctrl+b', key] })
    // The starting shell is not at its prompt when this is typed, and reads it later.
    const { output } = await client.call('send', { terminalId, text: `sh -c 'sleep 0.3; echo "split $((40 + 2))"'` })
    expect(output).toContain('split 42')
  }
})

test.each(['less +F', 'tail -f'])('%s follows and asks nothing until it is interrupted', async (program) => {
  const file = join(instance.user, 'log')
  writeFileSync(file, 'one\n')
  const { terminalId } = await client.call('create', { command: `${program} ${file}`, waitFor: { text: 'one' } })
  expect(await client.call('wait', { terminalIds: [terminalId], waitTimeoutMs: 3_000 })).toMatchObject({
    terminals: [{ outcome: 'timeout', state: 'busy' }],
  })
})

const keepsSome = `
import os, pty, select, sys, time, tty
tty.setraw(0)
child, inner = pty.fork()
if child == 0: os.execvp('cat', ['cat'])
while True:
    ready, _, _ = select.select([0, inner], [], [])
    if inner in ready: os.write(1, os.read(inner, 4096))
    if 0 in ready:
        typed = os.read(0, 4096)
        if typed.startswith(b'keep'):
            time.sleep(1)
            os.write(1, b'kept ' + str(6 * 7).encode() + b'\\r\\n')
        else: os.write(inner, typed)
`

const taskAtWork = `
import asyncio, os, select, threading, tty
tty.setraw(0)
os.write(1, b'\\x1b[?1049h\\x1b[?25l\\x1b[1;1Hpress s')
scans = 41
async def scan():
    global scans
    scans += 1
    await asyncio.sleep(1)
    os.write(1, b'\\x1b[2;5Hscanned ' + str(scans).encode())
async def main():
    loop = asyncio.get_running_loop()
    def keys():
        while True:
            if select.select([0], [], [], 0.1)[0] and b's' in os.read(0, 64):
                asyncio.run_coroutine_threadsafe(scan(), loop)
    threading.Thread(target=keys, daemon=True).start()
    await loop.create_future()
asyncio.run(main())
`

const runsTests = `
process.stdout.write('\\x1b[?25l')
const run = () => {
  process.stdout.write('\\n  stock\\n')
  setTimeout(() => process.stdout.write('    passed ' + 6 * 7 + '\\nwaiting for changes\\n'), 700)
}
run()
process.stdin.on('data', run)
`

/** In a file: code on the command line that starts others needs approval. */
const programFile = join(instance.user, 'works-elsewhere.cjs')
const worksElsewhere = `
const rl = require('node:readline').createInterface({ input: process.stdin, output: process.stdout, prompt: 'sim> ' })
rl.prompt()
rl.on('line', (line) => {
  const over = () => {
    console.log('over ' + 6 * 7)
    rl.prompt()
  }
  if (line === 'child') require('node:child_process').spawn('sleep', ['1'], { stdio: 'inherit' }).on('exit', over)
  else new (require('node:worker_threads').Worker)('setTimeout(() => {}, 1000)', { eval: true }).on('exit', over)
})
`
writeFileSync(programFile, worksElsewhere)

const isSignalled = `
import fcntl, os, signal, threading, tty
terminal = os.open('/dev/tty', os.O_RDWR | os.O_NONBLOCK)
tty.setraw(terminal)
def take(*_):
    os.write(terminal, b'\\r\\ntook ' + os.read(terminal, 10) + b'\\r\\nkey? ')
signal.signal(signal.SIGIO, take)
fcntl.fcntl(terminal, fcntl.F_SETOWN, os.getpid())
fcntl.fcntl(terminal, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
os.write(terminal, b'key? ')
while True:
    threading.Event().wait()
`

test('a program that receives a signal for input waits in any call in which it sleeps', async () => {
  const { terminalId } = await client.call('create', {
    command: ['python3', '-c', isSignalled],
    waitFor: { text: 'key?' },
  })
  for (const text of ['a', 'b']) {
    const answer = await client.call('send', { terminalId, text, newline: false })
    expect(answer).toMatchObject({
      outcome: 'met',
      state: 'ready',
      confidence: 'high',
      output: expect.stringContaining(`took ${text}`),
    })
  }
})

/** Its input goes to a shell that needs a while for each line. */
const passesOn = `(while read -r x; do echo "$x"; done) | while read -r x; do sleep 0.3; echo "$x taken" > /dev/tty; done`

test('a question whose answers go into a pipe is reported once the reader of the pipe rests', async () => {
  const { terminalId } = await client.call('create', {
    command: ['sh', '-c', 'while read -r x; do echo "$x"; done | cat'],
  })
  const { evidence, ...answer } = await client.call('send', { terminalId, text: 'line' })
  expect({ answer, evidence }).toMatchObject({ answer: { state: 'ready', confidence: 'high', output: 'line' } })
})

test.each<[string, string, readonly string[], string, RegExp]>([
  ['the receiver of its line works', '', ['sh', '-c', passesOn], 'line', /line taken/],
  ['its child works', 'sim>', ['node', programFile], 'child', /over 42/],
  ['a thread of it works', 'sim>', ['node', programFile], 'thread', /over 42/],
  ['a relay works on its own input', '', ['python3', '-c', keepsSome], 'keep this', /kept 42/],
  [
    'a task sleeps in the loop whose thread polls the keys',
    'press s',
    ['python3', '-c', taskAtWork],
    's',
    /scanned 4[23]/,
  ],
  ['tests run behind an armed event loop', 'passed 42', ['node', '-e', runsTests], 'rs', /stock[\s\S]*passed 42/],
])('it is not the caller’s turn while %s', async (_what, ready, command, text, done) => {
  const { terminalId } = await client.call('create', {
    command: [...command],
    ...(ready === '' ? {} : { waitFor: { text: ready } }),
  })
  await client.call('wait', { terminalIds: [terminalId] })
  for (let i = 0; i < 2; i++) expect((await client.call('send', { terminalId, text })).output).toMatch(done)
})

/** Passes keys on like a remote client: a raw terminal, and a poll of it and of a socket, whose far end shows the data of a FIFO. */
const remoteClient = [
  'import os, select, socket, sys, threading, tty',
  'near, far = socket.socketpair()',
  'def serve():',
  '  for text in open(sys.argv[1]): far.sendall(text.rstrip("\\n").encode())',
  'threading.Thread(target=serve, daemon=True).start()',
  'if len(sys.argv) > 2: input(sys.argv[2])',
  'tty.setraw(0)',
  'while True:',
  '  ready, _, _ = select.select([0, near], [], [])',
  '  if near in ready: os.write(1, near.recv(1000))',
  '  if 0 in ready:',
  '    keys = os.read(0, 1000)',
  '    if b"\\x04" in keys: break',
  '    os.write(1, keys)',
].join('\n')

test.each([
  ['from a shell with marks', 'bash', []],
  ['from a shell without marks', 'sh', []],
  ['behind its password', 'bash', ['password: ']],
])('%s, a remote client is busy until its far end has shown something', async (_where, shell, asks) => {
  const folder = mkdtempSync(join(instance.user, 'far-'))
  const program = join(folder, 'ssh')
  const script = join(folder, 'far.py')
  const gate = join(folder, 'gate')
  symlinkSync(
    execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim(),
    program,
  )
  writeFileSync(script, remoteClient)
  execFileSync('mkfifo', [gate])
  const { terminalId } = await client.call('create', { shell })
  const line = [program, script, gate, ...asks].map((word) => `'${word}'`).join(' ')
  // The program itself asks the question, in a terminal that edits lines.
  await client.call('send', { terminalId, text: line, waitFor: asks.length > 0 ? { text: asks[0] ?? '' } : 'none' })
  if (asks.length > 0) await client.call('send', { terminalId, text: 'secret', waitFor: 'none' })
  const silent = /nothing has come from the far end yet/
  const evidence = async () => (await client.call('read', { terminalId })).evidence?.join() ?? ''
  await until(async () => silent.test(await evidence()))
  // The far terminal echoes a key before it is read.
  await client.call('sendKeys', { terminalId, keys: ['x'], waitFor: 'output' })
  const waiting = { terminalIds: [terminalId], waitFor: 'ready' as const, waitTimeoutMs: 3_000 }
  expect((await client.call('wait', waiting)).terminals[0]).toMatchObject({ outcome: 'timeout', state: 'busy' })
  const ready = client.call('wait', { ...waiting, waitTimeoutMs: 20_000 })
  writeFileSync(gate, 'far$ \n')
  expect((await ready).terminals[0]).toMatchObject({ outcome: 'met', state: 'ready', kind: 'shell' })
  // After a prompt of its own, silence counts as rest.
  const { state } = await client.call('send', { terminalId, text: 'cat' })
  expect(state).toBe('ready')
})
