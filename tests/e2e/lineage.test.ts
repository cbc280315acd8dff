/** Parents of terminals by the kernel's facts: a program's own statements do not count. */

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WireClient } from '@agentpty/protocol/wire'
import { describe, expect, test } from 'vitest'
import { type Instance, program, until } from '../harness/instance.ts'
import { eachWithPerson } from './each-with-person.ts'

let instance: Instance
let person: WireClient
eachWithPerson((fresh) => {
  instance = fresh.instance
  person = fresh.person
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

/** A terminal whose program starts agentpty with only this environment; agentpty opens another terminal. */
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

/** Acts like an agent that starts a server with few of its own variables. */
const keepsToItself = `import json, os, subprocess, sys
server = subprocess.Popen(json.loads(sys.argv[1]), env=json.loads(sys.argv[2]), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
def ask(number, method, params):
    server.stdin.write(json.dumps({'jsonrpc': '2.0', 'id': number, 'method': method, 'params': params}) + '\\n')
    server.stdin.flush()
    return server.stdout.readline()
ask(1, 'initialize', {'protocolVersion': '2025-06-18', 'capabilities': {}, 'clientInfo': {'name': 'x', 'version': '1'}})
create = {'command': 'echo "key=$OWN_KEY mode=$MODE"; exec cat', 'name': 'child'}
ask(2, 'tools/call', {'name': 'terminal_create', 'arguments': create})
`

test('a terminal opened by an agent’s server has the agent’s variables that the server lacks, and the server’s take precedence', async () => {
  const words = JSON.stringify([process.execPath, program, 'mcp'])
  const env = JSON.stringify({ PATH: process.env['PATH'], AGENTPTY_HOME: instance.home, MODE: 'of-server' })
  const own = { OWN_KEY: 'of-agent', MODE: 'of-agent' }
  const file = join(instance.user, 'keeps.py')
  writeFileSync(file, keepsToItself)
  await person.call('create', { command: ['python3', file, words, env], env: own, waitFor: 'none' })
  await until(() => opened('child'))
  const { terminals } = await person.call('list', {})
  const terminalId = terminals.find(({ name }) => name === 'child')?.terminalId ?? ''
  const { output } = await person.call('read', { terminalId, waitFor: { text: 'mode=' } })
  expect(output).toContain('key=of-agent mode=of-server')
})

test('a program that has left its session and its parents is still in its terminal', async () => {
  const terminalId = await opensAChild({}, ['sh', '-c', 'setsid --fork "$0" "$@" </dev/null >/dev/null 2>&1; exec cat'])
  expect(await parentOf('child')).toBe(terminalId)
})

test('a program elsewhere that names a terminal is in none, and is not a person either', async () => {
  await shell()
  const liar = await instance.rpc({ AGENTPTY_TERMINAL: 'term-1' }, { isPerson: true })
  await liar.call('create', { name: 'child' })
  expect(await parentOf('child')).toBeUndefined()
  await expect(liar.call('secret', { terminalId: 'term-1', text: 'x' })).rejects.toMatchObject({ code: 'denied' })
})

test('a program started remotely by another one belongs to the terminal of its environment', async () => {
  const { terminalId, pid } = await shell()
  const inside = await instance.rpcFrom(pid)
  await inside.call('create', { name: 'child' })
  expect(await parentOf('child')).toBe(terminalId)
})

test('a connection of an ended process is refused, because its origin is unknown', async () => {
  const code = `import os, socket
read, write = os.pipe()
child = os.fork()
if child == 0:
    s = socket.socket(socket.AF_UNIX); s.connect(${JSON.stringify(instance.paths.daemonSocket)})
    if os.fork() > 0: os._exit(0)
    os.read(read, 1)
    s.sendall(b'{"agentpty":1,"face":"rpc","client":"x","cwd":"/","env":{}}\\n')
    print(s.recv(4096).decode(), flush=True)
    os._exit(0)
os.waitpid(child, 0)
os.write(write, b'x')`
  const python = spawn('python3', ['-c', code])
  const [answer] = await once(python.stdout, 'data')
  expect(JSON.parse(String(answer))).toMatchObject({ error: { code: 'denied' } })
})

test.each(['SIGKILL', 'SIGSTOP'] as const)('the helper that identifies peers is restarted after %s', async (signal) => {
  const { daemon } = await instance.status()
  const helperPids = () =>
    execFileSync('pgrep', ['-P', String(daemon.pid), '-f', 'peers'], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number)
  for (const pid of helperPids()) process.kill(pid, signal)
  const terminalId = await opensAChild({})
  expect(await parentOf('child')).toBe(terminalId)
})

describe('a child never has more rights than its parent:', () => {
  const scopedShell = async () => {
    const token = (await instance.cli('token', '--scope', 'small')).stdout.trim()
    const scoped = await instance.rpc({}, { token })
    return scoped.call('create', { shell: '/bin/bash' })
  }

  test('it leaves its scope neither by omitting its terminal nor with its user’s token', async () => {
    await person.call('create', { name: 'foreign', command: ['cat'] })
    const { terminalId, pid } = await scopedShell()
    const userToken = await instance.token()
    const other = (await instance.cli('token', '--scope', 'other')).stdout.trim()
    for (const token of [undefined, userToken, other]) {
      const child = await instance.rpcFrom(pid, token === undefined ? {} : { token })
      const { terminals } = await child.call('list', {})
      expect(terminals.map((one) => one.terminalId)).toEqual([terminalId])
      await expect(child.call('read', { terminalId: 'foreign' })).rejects.toMatchObject({ code: 'session_not_found' })
    }
  })

  test('a repository’s restrictions of its parent apply to it in every folder', async () => {
    const repository = join(instance.user, 'repository')
    const elsewhere = join(instance.user, 'elsewhere')
    for (const folder of [join(repository, '.git'), join(repository, '.agentpty'), elsewhere])
      mkdirSync(folder, { recursive: true })
    writeFileSync(join(repository, '.agentpty', 'policy.yaml'), 'deny: [git push *]\n')
    const parent = await person.call('create', { command: ['cat'], cwd: repository })
    const child = await instance.rpcFrom(parent.pid, { cwd: elsewhere })
    const start = { command: 'git push origin', cwd: elsewhere, waitFor: 'none' } as const
    await expect(child.call('create', start)).rejects.toMatchObject({ code: 'denied' })
    const shellBelow = await child.call('create', { shell: '/bin/bash', cwd: elsewhere })
    const line = { terminalId: shellBelow.terminalId, command: 'git push origin' }
    await expect(child.call('run', line)).rejects.toMatchObject({ code: 'denied' })
    const grandchild = await instance.rpcFrom(shellBelow.pid, { cwd: elsewhere })
    await expect(grandchild.call('create', start)).rejects.toMatchObject({ code: 'denied' })
    const outside = await instance.rpc({}, { cwd: elsewhere })
    expect(await outside.call('create', start)).toMatchObject({ terminalId: expect.any(String) })
  })

  test('its sandbox is never looser than its parent’s, whatever it requests', async () => {
    const walled = await person.call('create', { command: ['cat'], cwd: instance.user, sandbox: true })
    const child = await instance.rpcFrom(walled.pid)
    for (const sandbox of [false, { network: 'on' as const }, { writable: ['/'] }])
      await expect(child.call('create', { command: ['cat'], cwd: instance.user, sandbox })).rejects.toMatchObject({
        code: 'denied',
      })
    const opened = await child.call('create', { command: ['cat'], cwd: instance.user })
    expect(opened.sandbox).toEqual(walled.sandbox)
    const token = (await instance.cli('token', '--scope', 'other')).stdout.trim()
    const withToken = await instance.rpcFrom(walled.pid, { token })
    const other = await withToken.call('create', { command: ['cat'], cwd: instance.user })
    expect(other.sandbox).toEqual(walled.sandbox)
  })
})
