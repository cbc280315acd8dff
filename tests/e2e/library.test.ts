/** The library as a program uses it: sessions of a private server, and those of the daemon. */

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isTermError, openSession, openTerminals, type Session, Terminals } from 'agentpty'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Instance, isAlive, until } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'

const bash = { command: ['bash', '--norc', '--noprofile'], env: { PS1: '$ ' } }

async function pidOf({ id }: Session, terminals: Terminals): Promise<number> {
  return (await terminals.list()).find(({ terminalId }) => terminalId === id)?.pid ?? 0
}

test('a session ends with its scope, including all its processes', async () => {
  const marker = `library-${process.pid}-${Date.now()}`
  const running = () =>
    execFileSync('ps', ['-eo', 'args'])
      .toString()
      .split('\n')
      .filter((line) => line.startsWith(marker))
  {
    await using session = await openSession({
      command: ['bash', '-c', `setsid bash -c 'exec -a ${marker} sleep 1000' & echo up; read x`],
    })
    await session.wait({ text: 'up' }, { since: 0 })
    await until(() => running().length > 0)
    expect(running()).toHaveLength(1)
  }
  await until(() => running().length === 0)
  expect(running()).toEqual([])
})

test('approvals are decided by the program that uses the library', async () => {
  const asked: string[] = []
  await using session = await openSession({
    ...bash,
    approve: ({ resolved }) => asked.push(resolved) === 1,
  })
  await session.send('touch /tmp/agentpty-approved-$$; rm /tmp/agentpty-approved-$$')
  await expect(session.send('rm /tmp/nothing-there')).rejects.toMatchObject({ code: 'not_approved' })
  expect(asked).toEqual([expect.stringContaining('rm /tmp/agentpty-approved-'), 'rm /tmp/nothing-there'])
})

test('a program that has asked a person ends once its sessions are closed', () => {
  const library = fileURLToPath(new URL('../../packages/agentpty/dist/index.js', import.meta.url))
  const program = `import { openSession } from ${JSON.stringify(library)}
    const session = await openSession({ command: ['bash', '--norc'], approve: () => true })
    await session.send('rm /tmp/nothing-there')
    await session.close()
    console.log('closed')`
  const options = { timeout: 30_000, input: program }
  expect(execFileSync(process.execPath, ['--input-type=module', '-'], options).toString()).toBe('closed\n')
})

test('a program may choose another profile, and none lifts the floor', async () => {
  await using session = await openSession({ ...bash, profile: 'trusted' })
  await session.send('rm /tmp/nothing-there')
  await expect(session.send('rm -rf /')).rejects.toMatchObject({ code: 'denied' })
})

test('a program adds its own patterns, which restrict it further', async () => {
  await using terminals = await openTerminals()
  terminals.addBlockedPatterns([/echo\s+secret/])
  terminals.addApprovalPatterns(['touch'])
  const session = await terminals.open(bash)
  await expect(session.send('echo  secret')).rejects.toMatchObject({ code: 'denied' })
  await expect(session.send('echo SECRET')).rejects.toMatchObject({ code: 'denied' })
  await expect(session.send('touch /tmp/agentpty-pattern')).rejects.toMatchObject({ code: 'needs_approval' })
  expect(() => terminals.addBlockedPatterns([/(a)\1/])).toThrowError(/\\1/)
  expect(await session.send('echo plain')).toMatchObject({ output: expect.stringContaining('plain') })
})

test('a send returns its output and the turn', async () => {
  await using session = await openSession({ command: ['cat'] })
  expect(await session.send('hello')).toMatchObject({
    output: expect.stringContaining('hello'),
    outcome: 'met',
    state: 'ready',
    kind: 'line',
  })
  expect(await session.press('ctrl+d', { waitFor: 'exit' })).toMatchObject({ state: 'exited', exitCode: 0 })
})

test('the README’s examples work', async () => {
  await using python = await openSession({ command: ['python3', '-q'] })
  expect((await python.send('6 * 7')).output).toBe('42\n>>>')
  await python.press('ctrl+d')
  expect((await python.wait('exit')).exitCode).toBe(0)
  const [, example = ''] =
    /```ts\nimport \{ openSession \}((?:.|\n)*?)```/.exec(readFileSync('README.md', 'utf8')) ?? []
  for (const line of ["command: ['python3', '-q']", "send('6 * 7')", "press('ctrl+d')", "wait('exit')"])
    expect(example).toContain(line)
})

test('the verbs do the same as the shorter methods', async () => {
  await using session = await openSession({ command: ['cat'], waitTimeoutMs: 20_000 })
  expect(await session.send('one', { newline: false, waitFor: 'none' })).toMatchObject({ sent: true })
  expect(await session.sendKeys(['enter'])).toMatchObject({ keys: ['enter'], sequences: ['\r'], outcome: 'met' })
  expect((await session.screenshot()).screen).toBe((await session.screen()).screen)
  expect(await session.read({ waitFor: { text: 'never' }, waitTimeoutMs: 1 })).toMatchObject({ outcome: 'timeout' })
  expect(await session.press('ctrl+d', { waitFor: 'exit' })).toMatchObject({ keys: ['ctrl+d'], exitCode: 0 })
})

test('errors name its own methods', async () => {
  await using session = await openSession({ command: ['cat'] })
  await expect(session.run('ls')).rejects.toMatchObject({ hint: expect.stringContaining('Use session.send()') })
  await expect(session.press('entr')).rejects.toMatchObject({ hint: expect.stringContaining('session.send()') })
  await expect(openSession({ cols: 1 })).rejects.toMatchObject({
    message: expect.stringMatching(/^openSession\(\): cols/),
  })
})

test('a built checkout has the types that the package names', () => {
  const { exports } = JSON.parse(readFileSync('packages/agentpty/package.json', 'utf8')) as {
    readonly exports: Readonly<Record<string, { readonly types: string }>>
  }
  for (const { types } of Object.values(exports)) expect(existsSync(`packages/agentpty/${types}`)).toBe(true)
})

test('errors have a code and a next step', async () => {
  await using session = await openSession({ command: ['true'], waitFor: 'exit' })
  const failed = await session.send('x').catch((error: unknown) => error)
  expect(isTermError(failed) && [failed.code, failed.hint !== '']).toEqual(['session_exited', true])
  await expect(openSession({ command: ['/no/such/program'] })).rejects.toMatchObject({ code: 'spawn_failed' })
})

test('a server with an impossible sandbox is not opened', async () => {
  await expect(openTerminals({ sandbox: { network: ['nowhere..x'] } })).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining('write nowhere.x'),
  })
})

test('a closed session may be closed again', async () => {
  await using terminals = await openTerminals()
  const session = await terminals.open({ command: ['cat'] })
  const pid = await pidOf(session, terminals)
  await session.close()
  await session.close()
  expect(isAlive(pid)).toBe(false)
  await expect(session.send('x')).rejects.toMatchObject({ code: 'session_not_found' })
})

test('the first ready terminal of several is returned', async () => {
  await using terminals = await openTerminals()
  const slow = await terminals.open({ command: ['sleep', '1000'], waitFor: 'none' })
  const quick = await terminals.open({ command: ['cat'], waitFor: 'none' })
  expect(await terminals.first([slow, quick])).toBe(quick)
  expect(await terminals.first([slow], 'ready', 50)).toBeNull()
})

describe('events', () => {
  test('start with a snapshot, and deliver later output exactly once', async () => {
    await using session = await openSession({
      command: ['bash', '-c', 'for i in $(seq 1 3000); do echo "n$i"; [ $i = 1000 ] && read x; done; exit 4'],
    })
    let output = ''
    let printed = 0
    for await (const event of session.events()) {
      if (event.type === 'snapshot') {
        printed = event.frame.at
        await session.send('', { waitFor: 'none' })
      } else if (event.type === 'output') {
        expect(event.offset).toBe(printed)
        printed += event.bytes.length
        output += Buffer.from(event.bytes).toString()
      } else if (event.type === 'exit') expect(event.exit.code).toBe(4)
    }
    const lines = output.split('\r\n').filter((line) => line.startsWith('n'))
    expect(lines).toEqual(Array.from({ length: 2_000 }, (_, at) => `n${at + 1_001}`))
  })

  test('report the turn, and end without a listener', async () => {
    await using session = await openSession({ ...bash })
    const stop = new AbortController()
    const turns: string[] = []
    for await (const event of session.events({ signal: stop.signal })) {
      if (event.type !== 'turn') continue
      turns.push(event.verdict.state)
      if (event.verdict.state === 'ready' && turns.length === 1) void session.send('read x', { waitFor: 'none' })
      else if (event.verdict.state === 'ready') stop.abort()
    }
    expect(turns.at(0)).toBe('ready')
    expect(turns.at(-1)).toBe('ready')
  })
})

describe('of the daemon', () => {
  let instance: Instance
  beforeEach(() => {
    instance = scratchInstance()
  })

  test('terminals are shared with all other clients, and stay when the program ends', async () => {
    await using terminals = new Terminals(await instance.rpc(), async () => {})
    const session = await terminals.open({ name: 'shared', command: ['cat'] })
    await session.send('from the library')
    expect((await instance.cli('read', 'shared')).stdout).toContain('from the library')
    await session.rename('renamed')
    expect((await terminals.session('renamed')).id).toBe(session.id)
    await expect(terminals.session('nobody')).rejects.toMatchObject({
      code: 'session_not_found',
      hint: 'Open: renamed.',
    })
  })

  test('connect starts it if there is none', async () => {
    const script = `import { connect } from 'agentpty'; const t = await connect(); await t.open({ name: 'kept', command: ['cat'] }); await t.close()`
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { env: { ...instance.env } })
    expect((await instance.cli('ls')).stdout).toMatch(/kept/)
  })
})
