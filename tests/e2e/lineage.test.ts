/** Who started whom, as the kernel shows it: what programs in terminals say of themselves counts for nothing. */

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { WireClient } from '../../packages/agentpty/src/faces/wire/wire-client.ts'
import { Instance, program, until } from './instance.ts'

let instance: Instance
let person: WireClient
beforeEach(async () => {
  instance = new Instance()
  person = await instance.rpc()
})
afterEach(async () => {
  expect(await instance.stop()).toEqual([])
})

async function parentOf(name: string): Promise<string | undefined> {
  const { terminals } = await person.call('list', {})
  return terminals.find((one) => one.name === name)?.parent
}

async function opened(name: string): Promise<boolean> {
  const { terminals } = await person.call('list', {})
  return terminals.some((one) => one.name === name)
}

const shell = async () => person.call('create', { shell: '/bin/bash' })

type Said = Readonly<Record<string, string>>

/** A terminal whose program starts agentpty, which opens another, with this alone in its environment. */
async function opensAChild(said: Said, how: readonly string[] = []): Promise<string> {
  const file = join(instance.user, 'starts.py')
  const words = [...how, process.execPath, program, 'new', '--name', 'child']
  const env = { PATH: process.env['PATH'], AGENTPTY_HOME: instance.home, ...said }
  writeFileSync(
    file,
    `import os\nos.execvpe(${JSON.stringify(words[0])}, ${JSON.stringify(words)}, ${JSON.stringify(env)})\n`,
  )
  const { terminalId } = await person.call('create', { command: ['python3', file], waitFor: 'none' })
  await until(() => opened('child'))
  return terminalId
}

test.each<[string, (other: Said) => Said]>([
  ['names another terminal', () => ({ AGENTPTY_TERMINAL: 'term-1' })],
  ['names another terminal with its letters', (other) => other],
  ['names none', () => ({})],
])('a program that %s is in the terminal that it runs in', async (_what, said) => {
  const other = await shell()
  const terminalId = await opensAChild(said(instance.environmentIn(other.pid)))
  expect(await parentOf('child')).toBe(terminalId)
})

test('a program that has left its session and its parents is in its terminal all the same', async () => {
  const terminalId = await opensAChild({}, ['setsid', '--fork'])
  expect(await parentOf('child')).toBe(terminalId)
})

test('a program elsewhere that names a terminal is in none, and is no person either', async () => {
  await shell()
  const liar = await instance.rpc({ AGENTPTY_TERMINAL: 'term-1' }, { isPerson: true })
  await liar.call('create', { name: 'child' })
  expect(await parentOf('child')).toBeUndefined()
  await expect(liar.call('secret', { terminalId: 'term-1', text: 'x' })).rejects.toMatchObject({ code: 'denied' })
})

test('a program that another one has started far away is where its environment comes from', async () => {
  const { terminalId, pid } = await shell()
  const inside = await instance.rpcFrom(pid)
  await inside.call('create', { name: 'child' })
  expect(await parentOf('child')).toBe(terminalId)
})

test('a connection of a process that has ended is not served: nobody can see where it was', async () => {
  const code = `import os, socket
s = socket.socket(socket.AF_UNIX); s.connect(${JSON.stringify(instance.paths.daemonSocket)})
parent = os.getpid()
if os.fork() == 0:
    import time
    while os.getppid() == parent: time.sleep(0.001)
    s.sendall(b'{"agentpty":1,"face":"rpc","client":"x","cwd":"/","env":{}}\\n')
    print(s.recv(4096).decode())`
  const python = spawn('python3', ['-c', code])
  const [answer] = await once(python.stdout, 'data')
  expect(JSON.parse(String(answer))).toMatchObject({ error: { code: 'denied' } })
})

test('the small process that tells who connects is started again when somebody has ended it', async () => {
  const { daemon } = await instance.status()
  const told = () =>
    execFileSync('pgrep', ['-P', String(daemon.pid), '-f', 'peers'], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number)
  for (const pid of told()) process.kill(pid, 'SIGKILL')
  const terminalId = await opensAChild({})
  expect(await parentOf('child')).toBe(terminalId)
})
