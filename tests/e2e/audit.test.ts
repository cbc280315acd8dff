/** A real daemon's records of the actions of agents and persons: how the journal is read, and its behaviour when processes are killed. */

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isTermError } from '@agentpty/protocol'
import type { AuditEntry } from '@agentpty/protocol/audit'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Instance, program, run, until } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'

let instance: Instance
beforeEach(() => {
  instance = scratchInstance()
})

async function records(...args: readonly string[]): Promise<readonly AuditEntry[]> {
  const { code, stdout, stderr } = await instance.cli('audit', '--json', '--limit', '1000', ...args)
  assert.deepEqual([code, stderr], [0, ''])
  return JSON.parse(stdout).records
}

/** Records are written shortly after their calls. */
async function recorded(isIt: (record: AuditEntry) => boolean): Promise<AuditEntry> {
  let found: AuditEntry | undefined
  await until(async () => {
    found = (await records()).find(isIt)
    return found !== undefined
  })
  assert.ok(found)
  return found
}

const isCall = (verb: string, text?: string) => (record: AuditEntry) =>
  record.kind === 'call' && record.verb === verb && (text === undefined || record.text === text)

/** The id named by a refusal. */
async function refusedId(call: Promise<unknown>, code: string): Promise<string> {
  const error = await call.then(
    () => assert.fail('it was done'),
    (reason: unknown) => reason,
  )
  assert.ok(isTermError(error) && error.code === code, String(error))
  const [, id] = /\[(au-\w+)\]/.exec(error.message) ?? []
  assert.ok(id !== undefined, error.message)
  return id
}

const folder = () => instance.paths.audit
const files = () => readdirSync(folder()).filter((name) => name.endsWith('.jsonl'))

test('an agent’s calls are recorded: the caller, the action, the rule, the offset, and the outcome', async () => {
  const agent = await instance.mcp()
  const { terminalId } = await agent.call('create', { name: 'build' })
  await agent.call('send', { terminalId: 'build', text: 'echo one' })
  await agent.call('read', { terminalId })
  await refusedId(agent.call('send', { terminalId, text: 'rm -rf /' }), 'denied')
  const done = await recorded(isCall('send', 'echo one'))
  expect(done).toMatchObject({
    session: terminalId,
    who: { client: expect.stringMatching(/^mcp-\d+-/), program: 'test 1 (MCP)' },
    verdict: 'allow',
    profile: 'standard',
    outcome: 'done',
    bytes: 9,
  })
  assert.ok(done.kind === 'call' && done.offset !== undefined && done.end !== undefined && done.end > done.offset)
  expect(await recorded(isCall('send', 'rm -rf /'))).toMatchObject({
    verdict: 'deny',
    rule: 'root-wipe',
    outcome: 'denied',
  })
  const all = await records()
  expect(all.filter(isCall('read'))).toEqual([])
  expect(all.map(({ n }) => n)).toEqual(all.map((_, at) => at + 1))
  expect(await records('--verdict', 'deny')).toHaveLength(1)
  expect(await records('--session', 'term-77')).toEqual([])
  expect(await records('--since', '2020-01-01', '--session', terminalId)).not.toEqual([])
  expect((await instance.cli('audit', '--limit', '1')).stdout).toMatch(/^\d{4}-\d\d-\d\d .*au-.*rm -rf \/\n$/)
  expect(statSync(folder()).mode & 0o777).toBe(0o700)
  for (const name of readdirSync(folder())) expect(statSync(join(folder(), name)).mode & 0o777).toBe(0o600)
})

describe('policy why', () => {
  test.each(['stdio', 'HTTP', 'the socket'] as const)(
    'explains the verdict on a call over %s, by the id in its refusal',
    async (way) => {
      writeFileSync(join(instance.home, 'config.yaml'), 'policy:\n  deny:\n    - make deploy\n')
      const caller =
        way === 'stdio' ? await instance.mcp() : way === 'HTTP' ? await instance.http() : await instance.rpc()
      const { terminalId } = await caller.call('create', {})
      const id = await refusedId(caller.call('send', { terminalId, text: 'ls; make deploy' }), 'denied')
      await recorded((record) => record.id === id)
      const { stdout } = await instance.cli('policy', 'why', id)
      expect(stdout).toContain(`rule      deny-rule (${join(instance.home, 'config.yaml')}:3)`)
      expect(stdout).toContain('decided   make deploy')
      const { call } = JSON.parse((await instance.cli('policy', 'why', id, '--json')).stdout)
      expect(call).toMatchObject({ id, text: 'ls; make deploy', source: { line: 3 }, verdict: 'deny' })
    },
  )

  test('explains a question, by the id of the call and by that of the approval', async () => {
    const caller = await instance.rpc()
    const { terminalId } = await caller.call('create', {})
    const id = await refusedId(caller.call('send', { terminalId, text: 'rm x' }), 'needs_approval')
    await recorded((record) => record.id === id)
    expect((await instance.cli('policy', 'why', 'ap-1')).stdout).toContain(`${id}\n`)
    expect(await instance.cli('policy', 'why', 'au-0')).toMatchObject({ code: 2, stderr: /no such call/ })
  })
})

test('questions, answers and their times are recorded and counted', async () => {
  const caller = await instance.rpc()
  const { terminalId } = await caller.call('create', {})
  for (const [text, answer] of [
    ['rm x', 'allow'],
    ['rm y', 'deny'],
    ['rm z', 'allow'],
  ] as const) {
    await refusedId(caller.call('send', { terminalId, text }), 'needs_approval')
    const { approvals } = await caller.call('approvals', {})
    await instance.cli('approvals', 'answer', approvals[0]?.approvalId ?? '', answer)
  }
  await caller.call('send', { terminalId, text: 'rm x', waitFor: 'none' })
  await refusedId(caller.call('send', { terminalId, text: 'rm y' }), 'not_approved')
  expect(
    await recorded((record) => isCall('send', 'rm x')(record) && 'outcome' in record && record.outcome === 'done'),
  ).toMatchObject({
    verdict: 'ask',
    rule: 'deletion',
    approvalId: 'ap-1',
  })
  const found = (await records()).filter(({ kind }) => kind === 'approval')
  expect(found).toMatchObject([
    { event: 'asked', approvalId: 'ap-1' },
    {
      event: 'allowed',
      approvalId: 'ap-1',
      by: expect.stringMatching(/^agentpty CLI \(\S+\)$/),
      waitedMs: expect.any(Number),
    },
    { event: 'asked' },
    { event: 'denied', approvalId: 'ap-2' },
    { event: 'asked' },
    { event: 'allowed' },
  ])
  const statistics = JSON.parse((await instance.cli('audit', '--approvals', '--json')).stdout)
  expect(statistics).toMatchObject({
    asked: 3,
    allowed: 2,
    denied: 1,
    askedPerHour: 3,
    medianAnswerMs: expect.any(Number),
    rules: [{ rule: 'deletion', asked: 3, allowed: 2, denied: 1, allowedShare: 0.67 }],
  })
  expect((await instance.cli('audit', '--approvals')).stdout).toContain('asked     3, 3 an hour')
})

test('a line that the shell has run without a verdict is a separate record', async () => {
  const agent = await instance.rpc()
  const { terminalId } = await agent.call('create', { shell: 'zsh' })
  writeFileSync(join(instance.user, 'keys'), "bindkey -s '^G' 'echo unseen\\n'\n")
  await agent.call('run', { terminalId, command: 'echo judged' })
  await agent.call('run', { terminalId, command: 'source ~/keys' })
  // One key, which is a whole line because of a file that was not read.
  await agent.call('sendKeys', { terminalId, keys: ['ctrl+g'], waitFor: { text: 'unseen\n' } })
  const difference = await recorded(({ kind }) => kind === 'difference')
  expect(difference).toMatchObject({ session: terminalId, line: 'echo unseen' })
  expect(await recorded(isCall('run', 'echo judged'))).toMatchObject({ verdict: 'allow' })
})

test('typed secrets, and text that looks like one, are in no record', async () => {
  const agent = await instance.rpc()
  const { terminalId } = await agent.call('create', {})
  await agent.call('send', { terminalId, text: 'read -rs secret' })
  await agent.call('send', { terminalId, text: 'correct horse' })
  await agent.call('send', { terminalId, text: 'export MY_TOKEN=battery-staple' })
  await recorded(isCall('send', 'export MY_TOKEN=[masked]'))
  const text = files()
    .map((name) => readFileSync(join(folder(), name), 'utf8'))
    .join('')
  expect(text).not.toMatch(/correct horse|battery-staple/)
})

test('a policy file that becomes invalid is reported in the journal and in the daemon’s log', async () => {
  const cwd = join(instance.user, 'repository')
  mkdirSync(join(cwd, '.git'), { recursive: true })
  mkdirSync(join(cwd, '.agentpty'))
  const policy = join(cwd, '.agentpty', 'policy.yaml')
  writeFileSync(policy, 'deny: [make deploy]\n')
  const agent = await instance.rpc()
  const { terminalId } = await agent.call('create', { cwd })
  writeFileSync(policy, "deny: ['/(/']\n")
  await until(async () => {
    await agent.call('send', { terminalId, text: 'true' })
    return (await records()).some((record) => record.kind === 'policy' && record.state === 'kept')
  })
  const found = (await records()).filter(({ kind }) => kind === 'policy')
  expect(found).toMatchObject([
    { file: policy, state: 'used', rules: 1, problems: [] },
    { file: policy, state: 'kept', rules: 1, problems: [expect.stringContaining(`${policy}:1:`)] },
  ])
  expect(readFileSync(instance.paths.log, 'utf8')).toContain(`${policy} is invalid, its last good rules hold`)
})

describe('a journal', () => {
  test('written by a daemon is intact, and a change is detected with its record and file', async () => {
    const agent = await instance.rpc()
    await agent.call('run', { command: 'echo one' })
    await recorded(isCall('run', 'echo one'))
    const { stdout } = await instance.cli('audit', '--verify')
    expect(stdout).toMatch(/^as it was written: records 1 to \d+ /)
    const [, head = ''] = /^last {3}(\S+)$/m.exec(stdout) ?? []
    expect(await instance.cli('audit', '--verify', '--head', head)).toMatchObject({ code: 0 })
    await instance.cli('stop', '--all')
    const path = join(folder(), files()[0] ?? '')
    writeFileSync(path, readFileSync(path, 'utf8').replace('echo one', 'echo two'))
    const verdict = await instance.cli('audit', '--verify', '--json')
    expect(verdict.code).toBe(1)
    expect(JSON.parse(verdict.stdout).broken).toMatchObject({ file: path, n: expect.any(Number) })
    expect((await instance.cli('audit', '--verify')).stdout).toMatch(/^broken at record \d+: .*\n +\S+:\d+\n/)
  })

  test('is readable without a daemon', async () => {
    await (await instance.rpc()).call('run', { command: 'echo one' })
    await instance.cli('stop', '--all')
    await until(() => instance.processes().length === 0)
    expect((await records()).at(-1)).toMatchObject({ kind: 'journal', event: 'ended' })
    expect(await instance.cli('audit', '--verify')).toMatchObject({ code: 0 })
    expect(instance.processes()).toEqual([])
  })

  test('continues after a killed daemon, and reports an unfinished call and a torn line', async () => {
    const agent = await instance.rpc()
    const { terminalId } = await agent.call('create', {})
    const sleeping = agent.call('run', { terminalId, command: 'sleep 1000' }).catch(() => 'gone')
    const open = await recorded(isCall('run', 'sleep 1000'))
    expect(open).toMatchObject({ outcome: 'open' })
    await instance.killDaemon()
    expect(await sleeping).toBe('gone')
    appendFileSync(join(folder(), files().at(-1) ?? ''), '{"n":99,"id":"au-')
    await instance.status()
    expect(await recorded((record) => record.kind === 'journal' && record.event === 'repaired')).toMatchObject({
      torn: { bytes: 17 },
    })
    const { stdout, code } = await instance.cli('audit', '--verify')
    expect([code, stdout]).toEqual([0, expect.stringContaining('left unfinished by a process that was killed')])
    // This daemon has not judged its command; the previous one had.
    const next = await instance.rpc()
    await next.call('sendKeys', { terminalId, keys: ['ctrl+c'] })
    await next.call('send', { terminalId, text: 'echo after' })
    await recorded(isCall('send', 'echo after'))
    expect((await records()).filter(({ kind }) => kind === 'difference')).toEqual([])
  })

  test('has one writer, however many daemons are started', async () => {
    const { daemon } = await instance.status()
    const others = await Promise.all([1, 2, 3].map(() => run(process.execPath, [program, 'daemon'], instance.env)))
    expect(others.map(({ code }) => code)).toEqual([0, 0, 0])
    await (await instance.rpc()).call('run', { command: 'echo one' })
    await recorded(isCall('run', 'echo one'))
    const started = (await records()).filter((record) => record.kind === 'journal' && record.event === 'started')
    expect(started).toMatchObject([{ pid: daemon.pid }])
    expect(await instance.cli('audit', '--verify')).toMatchObject({ code: 0 })
  })

  test('that cannot be written delays no call, and later reports the missing records', async () => {
    const agent = await instance.rpc()
    const { terminalId } = await agent.call('create', {})
    await recorded(isCall('create'))
    const { daemon } = await instance.status()
    const size = statSync(join(folder(), files()[0] ?? '')).size
    // Like a full disk: the next write stops in the middle of a line.
    const limit = (bytes: number | string) =>
      execFileSync('prlimit', ['--pid', String(daemon.pid), `--fsize=${bytes}:unlimited`])
    limit(size + 50)
    expect(await agent.call('send', { terminalId, text: 'echo full' })).toMatchObject({
      output: expect.stringContaining('full'),
    })
    await until(async () => (await instance.status()).audit.problem !== null)
    expect(readFileSync(instance.paths.log, 'utf8')).toContain('cannot be written')
    const { stdout } = await instance.cli('doctor', '--json')
    const findings = JSON.parse(stdout).findings.filter(({ name }: { name: string }) => name === 'audit')
    expect(findings).toContainEqual(
      expect.objectContaining({ mark: 'wrong', found: expect.stringContaining('records wait') }),
    )
    limit('unlimited')
    await recorded(isCall('send', 'echo full'))
    expect((await instance.status()).audit).toMatchObject({ problem: null, lost: 0 })
    expect(await instance.cli('audit', '--verify')).toMatchObject({ code: 0 })
  })
})

test('a door’s calls are recorded as the verbs that it calls', async () => {
  const door = await instance.door('deep-terminal')
  const act = (args: object) => door.callTool({ name: 'deep_terminal', arguments: { sessionId: 's', ...args } })
  await act({ action: 'start' })
  await act({ action: 'execute', command: 'rm -rf /' })
  expect(await recorded(isCall('send', 'rm -rf /'))).toMatchObject({
    verdict: 'deny',
    outcome: 'denied',
    session: 'term-1',
    who: { program: 'test 1 (MCP)' },
  })
})

test('a follower receives each record immediately', async () => {
  const agent = await instance.rpc()
  await agent.call('run', { command: 'echo one' })
  await recorded(isCall('run', 'echo one'))
  const follower = await agent.call('create', {
    command: [process.execPath, program, 'audit', '--follow'],
    waitFor: { text: 'echo one' },
    cols: 200,
  })
  expect(follower.outcome).toBe('met')
  await agent.call('run', { command: 'echo another' })
  const { terminals } = await agent.call('wait', {
    terminalIds: [follower.terminalId],
    since: [follower.cursor],
    waitFor: { text: 'echo another' },
  })
  expect(terminals).toMatchObject([{ outcome: 'met' }])
})
