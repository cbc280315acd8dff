/** The gate through the command line: settings, what terminals show, and the report. */

import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Instance, program, run, until } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'

let instance: Instance
let keep: string

beforeEach(() => {
  instance = scratchInstance()
  keep = join(instance.user, 'keep')
  mkdirSync(keep)
  writeFileSync(join(keep, 'a.txt'), 'kept')
})

async function json(...args: readonly string[]) {
  const { code, stdout, stderr } = await instance.cli(...args, '--json')
  assert.deepEqual([code, stderr], [0, ''])
  return JSON.parse(stdout)
}

const configure = (text: string) => writeFileSync(join(instance.home, 'config.yaml'), text)
const trusted = 'policy:\n  profile: trusted\n'
/** The gate’s own report comes within a second, and is then written to the journal. */
const reported = async (count: number) => {
  await until(async () => (await json('effects', 'report')).questions >= count)
  return json('effects', 'report')
}

test('a terminal with gate: journal lets its programs do what they do, and the report shows it', async () => {
  configure(`${trusted}  gate: journal\n`)
  expect(await json('new', '--wait', 'ready')).toMatchObject({ gate: { state: 'journal' } })
  await instance.cli('send', 'term-1', `python3 -c "import shutil; shutil.rmtree('${keep}')"`)
  await until(() => !existsSync(keep))
  expect((await reported(1)).rows).toMatchObject([
    { program: 'python3', verb: 'delete', area: keep, questions: 1, terminals: ['term-1'] },
  ])
  const { stdout } = await instance.cli('effects', 'report', '--session', 'term-1')
  expect(stdout).toMatch(/^QUESTIONS .*\n1 .*python3 +delete .*keep.*\(term-1\)\n1 question in 1 terminal\.\n$/)
  expect((await instance.cli('audit')).stdout).toContain(`would delete, below ${keep}`)
  expect((await json('ls')).terminals).toMatchObject([{ gate: { state: 'journal' } }])
})

test('a terminal has none unless it is wanted, or its opener has one', async () => {
  configure(trusted)
  expect(await json('new')).not.toHaveProperty('gate')
  expect(await json('new', '--gate', 'journal', '--wait', 'ready')).toMatchObject({ gate: { state: 'journal' } })
  const { terminalId } = await json('new', '--gate', 'journal', '--wait', 'ready')
  await instance.cli('send', terminalId, `${process.execPath} ${program} new --wait ready`)
  await until(async () => (await json('ls')).terminals.length === 4)
  const { terminals } = await json('ls')
  expect(terminals.at(-1)).toMatchObject({ gate: { state: 'journal' } })
})

test('a repository asks for a gate, and does not take one away', async () => {
  configure(trusted)
  const repository = join(instance.user, 'repository')
  mkdirSync(join(repository, '.git'), { recursive: true })
  mkdirSync(join(repository, '.agentpty'))
  writeFileSync(join(repository, '.agentpty/policy.yaml'), 'gate: journal\n')
  expect(await json('new', '--cwd', repository, '--wait', 'ready')).toMatchObject({ gate: { state: 'journal' } })
  const { code, stderr } = await instance.cli('new', '--cwd', repository, '--gate', 'off')
  expect([code, stderr]).toEqual([1, expect.stringMatching(/asked as ap-1[\s\S]*no gate sees what programs do/)])
  writeFileSync(join(repository, '.agentpty/policy.yaml'), 'gate: off\n')
  const { stdout } = await run(process.execPath, [program, 'policy', 'files'], instance.env, { cwd: repository })
  expect(stdout).toContain('gate: off does not count here')
})

test('without a gate the report says how to get one', async () => {
  expect(await json('effects', 'report')).toEqual({ rows: [], questions: 0, terminals: 0, blind: {} })
  expect((await instance.cli('effects', 'report')).stdout).toContain('agentpty new --gate journal')
  expect((await instance.cli('effects', 'report', '--since', 'noon')).code).toBe(2)
  expect((await instance.cli('new', '--gate', 'maybe')).stderr).toContain('--gate maybe: no such gate.')
})

describe('a gate that asks', () => {
  beforeEach(() => configure(`${trusted}  gate: ask\n`))

  const approvals = async () => (await json('approvals')).approvals
  const remove = () => `python3 -c "import shutil; shutil.rmtree('${keep}'); print('removed')"`

  test('is left out of one terminal when a person allows that', async () => {
    const agent = await instance.mcp()
    const refused = await agent.call('create', { gate: 'off' }).catch((error: Error) => error)
    expect(`${refused}`).toContain('ap-1')
    expect(await approvals()).toMatchObject([
      { resolved: 'a terminal with gate "off" in place of "ask"', rule: 'ungated' },
    ])
    await json('approvals', 'answer', 'ap-1', 'allow')
    expect(await agent.call('create', { gate: 'off' })).not.toHaveProperty('gate')
    expect(await agent.call('create', {})).toMatchObject({ gate: { state: 'ask' } })
    const again = await agent.call('create', { gate: 'off' }).catch((error: Error) => error)
    expect(`${again}`).toContain('ap-2')
  })

  test('ends the wait of an agent at once, and the command goes on when a person allows it', async () => {
    const agent = await instance.mcp()
    const { terminalId } = await agent.call('create', {})
    const seen = await agent.call('run', { terminalId, command: remove() })
    expect(seen).toMatchObject({ outcome: 'needs_approval', state: 'busy', approval: 'ap-1' })
    expect(seen.held).toContain('python3 wants to delete ~/keep (1 file, 4 bytes')
    expect(await approvals()).toMatchObject([
      { approvalId: 'ap-1', rule: 'effects', terminalId, offer: { same: `delete ${keep}` } },
    ])
    expect((await json('needs')).needs).toMatchObject([{ kind: 'approval', terminalId }])
    const waiting = agent.call('wait', { terminalIds: [terminalId] })
    await json('approvals', 'answer', 'ap-1', 'allow')
    expect((await waiting).terminals).toMatchObject([{ outcome: 'met', state: 'ready', kind: 'shell' }])
    expect((await agent.call('read', { terminalId, since: 0 })).output).toContain('removed')
    expect([existsSync(keep), await approvals()]).toEqual([false, []])
  })

  test('a denied command fails, and its job ends where a person wants that', async () => {
    await json('new', '--wait', 'ready')
    await instance.cli('send', 'term-1', `rm -r ${keep}; echo "code $?"`)
    await until(async () => (await approvals()).length === 1)
    await json('approvals', 'answer', 'ap-1', 'deny')
    await until(async () => (await instance.cli('read', 'term-1')).stdout.includes('code 1'))
    await instance.cli('send', 'term-1', `sh -c 'rm -r ${keep}; echo on; sleep 1000'; echo "then $?"`)
    await until(async () => (await approvals()).length === 1)
    await json('approvals', 'answer', 'ap-2', 'deny', '--end-job')
    await until(async () => (await instance.cli('read', 'term-1')).stdout.includes('then 143'))
    expect(existsSync(join(keep, 'a.txt'))).toBe(true)
  })

  test('the approval of a command that is ended while it is held is withdrawn', async () => {
    await json('new', '--wait', 'ready')
    await instance.cli('send', 'term-1', remove())
    await until(async () => (await approvals()).length === 1)
    await instance.cli('keys', 'term-1', 'ctrl+c')
    await until(async () => (await approvals()).length === 0)
    expect((await json('approvals', '--all')).approvals).toMatchObject([{ approvalId: 'ap-1', state: 'withdrawn' }])
    expect(existsSync(join(keep, 'a.txt'))).toBe(true)
  })

  test('a held call outlives the daemon, and the next one passes the answer on', async () => {
    await json('new', '--wait', 'ready')
    await instance.cli('send', 'term-1', remove())
    await until(async () => (await approvals()).length === 1)
    await instance.killDaemon()
    expect(await approvals()).toMatchObject([{ approvalId: 'ap-1', state: 'open' }])
    await json('approvals', 'answer', 'ap-1', 'allow')
    await until(() => !existsSync(keep))
    expect(await approvals()).toEqual([])
  })

  test('what a program deletes in its workspace can be put back, and the timeline shows it', async () => {
    const workspace = join(instance.user, 'proj')
    mkdirSync(join(workspace, 'src'), { recursive: true })
    writeFileSync(join(workspace, 'src/main.c'), 'int main;')
    await json('new', '--cwd', workspace, '--wait', 'ready')
    expect((await instance.cli('undo')).stdout).toContain('There is nothing to undo.')
    await instance.cli('send', 'term-1', 'rm -rf src')
    // The records are written a moment after the deletion.
    await until(async () => (await instance.cli('undo')).stdout.includes('term-1.1'))
    expect((await instance.cli('undo')).stdout).toMatch(
      /^ID .*\nterm-1\.1 .* 2 .*rm -rf src +~\/proj\/src\nPut them back/,
    )
    expect((await instance.cli('undo', 'term-1.1', '--show')).stdout).toMatch(
      /~\/proj\/src\/main.c +deleted +kept +9\n/,
    )
    expect((await json('timeline', 'term-1')).items).toContainEqual(
      expect.objectContaining({ kind: 'kept', who: 'rm', files: 2, text: 'rm -rf src', id: 'term-1.1' }),
    )
    expect((await instance.cli('timeline', 'term-1')).stdout).toMatch(
      / rm +deleted or overwrote 2 files \(undo term-1\.1\): rm/,
    )
    expect((await instance.cli('undo', '--last')).stdout).toBe('2 files are back.\n')
    expect(readFileSync(join(workspace, 'src/main.c'), 'utf8')).toBe('int main;')
    const { code, stderr } = await instance.cli('undo', '--last')
    expect([code, stderr]).toEqual([2, expect.stringContaining('There is nothing to undo.')])
    expect(await approvals()).toEqual([])
  })

  test('words ask about no change of files, and the gate once about one outside the workspace', async () => {
    configure('policy:\n  gate: ask\n')
    const workspace = join(instance.user, 'proj')
    mkdirSync(join(workspace, 'src'), { recursive: true })
    const agent = await instance.mcp()
    const { terminalId } = await agent.call('create', { cwd: workspace })
    const run = (command: string) => agent.call('run', { terminalId, command })
    expect(await run('rm -rf src && git init -q . && git clean -fdx && find . -name x -delete')).toMatchObject({
      exitCode: 0,
    })
    expect(await approvals()).toEqual([])
    expect(await run(`rm ${keep}/a.txt`)).toMatchObject({ outcome: 'needs_approval' })
    expect(await approvals()).toMatchObject([{ rule: 'effects' }])
    await json('approvals', 'answer', 'ap-1', 'allow')
    await until(() => !existsSync(join(keep, 'a.txt')))
    await expect(agent.call('run', { terminalId, command: 'git push --force' })).rejects.toThrow('destructive-vcs')
    // A busy program may read it, and pass it on to another machine.
    await agent.call('send', { terminalId, text: 'echo begun; sleep 1000', waitFor: { text: 'begun\n' } })
    await expect(agent.call('send', { terminalId, text: `rm -rf ${workspace}/x` })).rejects.toThrow('deletion')
  })

  test('what was allowed for a time is not asked about again', async () => {
    await json('new', '--wait', 'ready')
    await instance.cli('send', 'term-1', `rm ${keep}/a.txt`)
    await until(async () => (await approvals()).length === 1)
    const offered = (await approvals())[0].offer.same
    await json('approvals', 'answer', 'ap-1', 'allow', '--in', 'folder', '--for', '7d')
    expect(offered).toBe(`delete ${join(keep, 'a.txt')}`)
    await until(() => !existsSync(join(keep, 'a.txt')))
    writeFileSync(join(keep, 'a.txt'), 'again')
    await instance.cli('send', 'term-1', `rm ${keep}/a.txt`)
    await until(() => !existsSync(join(keep, 'a.txt')))
    expect(await approvals()).toEqual([])
  })
})
