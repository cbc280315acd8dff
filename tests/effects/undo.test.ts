/** Undo on a real ptyhost: programs of a gated terminal delete and overwrite files of its workspace, and the files are put back. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '@agentpty/engine/system-clock'
import { undoRoom } from '@agentpty/server/effects'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { open, openHost, type TestHost } from '../harness/host-fixture.ts'
import { until } from '../harness/instance.ts'
import { scratchFolder } from '../harness/scratch.ts'
import { GatedTerminal } from './gated-terminal.ts'

let host: TestHost
beforeAll(async () => {
  host = await openHost()
})
afterAll(() => host.stop())

let workspace: string
let kept: string
let jobBytes: number

beforeEach(() => {
  workspace = join(scratchFolder(), 'proj')
  kept = scratchFolder()
  jobBytes = 1 << 30
  mkdirSync(join(workspace, 'src/deep'), { recursive: true })
  mkdirSync(join(workspace, 'node_modules/x'), { recursive: true })
  for (const name of ['a', 'b', 'src/c', 'src/deep/d', 'node_modules/x/e', 'naïve name'])
    writeFileSync(join(workspace, name), `old ${name}\n`)
  symlinkSync('a', join(workspace, 'link'))
  execFileSync('chmod', ['4640', join(workspace, 'src/c')])
})

const table = () =>
  [
    'asks 600000',
    `keeps ${jobBytes} ${join(kept, 'term-1')}`,
    'free /dev',
    'free /tmp',
    `kept ${workspace}`,
    'unkept node_modules',
    '',
  ].join('\n')

async function start(script: string): Promise<GatedTerminal> {
  const env = { HOME: '/nowhere', PWD: workspace }
  const { pty } = await open(host.link, ['/bin/bash', '-c', `set -m; ${script}`], {
    env,
    cwd: workspace,
    gate: table(),
  })
  return new GatedTerminal(pty)
}

async function run(script: string): Promise<GatedTerminal> {
  const terminal = await start(script)
  await terminal.recorder.exit
  await terminal.pty.close({ graceMs: 100, leaveDaemons: false })
  return terminal
}

const room = () => undoRoom({ folder: kept, clock: systemClock })
/** Every file with its mode, its kind and its contents. */
const listing = () =>
  execFileSync(
    'bash',
    [
      '-c',
      'find . -not -path "./node_modules*" -printf "%p %y %m %l\\n" | sort; find . -type f -not -path "./node_modules*" | sort | xargs -d "\\n" cat',
    ],
    { cwd: workspace, encoding: 'utf8' },
  )
const read = (name: string) => readFileSync(join(workspace, name), 'utf8')
const undoAll = () =>
  room()
    .list()
    .toReversed()
    .filter(({ id }) => !id.includes('.u'))
    .map(({ id }) => room().undo(id, []))

describe('everything is as before after an undo of', () => {
  test.each<[string, string]>([
    ['a deleted file', 'rm a'],
    ['a deleted tree', 'rm -rf src'],
    ['a deleted link', 'rm link'],
    ['an emptied file', ': > a'],
    ['an overwritten file', 'echo new > a; cp b src/c'],
    ['a truncated file', 'truncate -s 2 a'],
    ['an edited file', 'sed -i s/old/new/ a src/deep/d "naïve name"'],
    ['a file that is written in the middle', 'printf X | dd of=a bs=1 seek=1 conv=notrunc status=none'],
    ['a replaced file', 'cp b n; mv n a; rm -f n'],
    ['a file that is replaced by a link', 'ln -sf b a'],
    ['a program that deletes', "python3 -c \"import os, shutil; os.remove('a'); shutil.rmtree('src')\""],
    [
      'what several jobs did',
      'rm a; echo new > a; echo newer > a; rm -r src; mkdir src; echo x > src/c; rm src/c; rmdir src',
    ],
    ['a compiled program’s work', 'find src -type f -delete'],
    ['a sandbox that deletes', 'bwrap --dev-bind / / rm -rf src a'],
    [
      'a sandbox that shows the workspace at another path',
      'bwrap --dev-bind / / --bind . /mnt sh -c "rm -r /mnt/src; echo new > /mnt/a"',
    ],
  ])('%s', async (_what, script) => {
    const before = listing()
    const terminal = await run(script)
    expect([terminal.text, terminal.questions]).toEqual(['', []])
    expect(listing()).not.toBe(before)
    expect(undoAll().flatMap(({ failed }) => failed)).toEqual([])
    expect(listing()).toBe(before)
    expect(
      room()
        .list()
        .filter(({ id }) => !id.includes('.u')),
    ).toEqual([])
  })
})

test('a job is one row, with its command, its files and their folder', async () => {
  await run('rm -rf src')
  expect(room().list()).toMatchObject([
    {
      id: 'term-1.1',
      terminalId: 'term-1',
      program: 'rm',
      command: 'rm -rf src',
      files: 4,
      lost: 0,
      folder: join(workspace, 'src'),
    },
  ])
  const paths = room()
    .files('term-1.1')
    .map(({ path, state, why }) => [path, state, why])
  expect(paths).toContainEqual([join(workspace, 'src/deep/d'), 'kept', 'delete'])
})

test('what is only appended to, written anew by its maker, or can be made again is not kept', async () => {
  await run(`echo more >> a; rm -rf node_modules; sh -c 'sleep 0.1; echo 1 > t; echo 2 > t; rm t'; python3 -c "
import os, time
time.sleep(0.1); open('t', 'w').close(); open('t', 'w').close(); os.remove('t')"; cat b > /dev/null; chmod 600 b`)
  expect(room().list()).toEqual([])
})

test('one file of a job can be put back, and what is in its place is kept', async () => {
  await run('rm a b; echo mine > a')
  const result = room().undo('term-1.1', [join(workspace, 'a')])
  expect(result).toEqual({ back: 1, same: 0, failed: [], undo: 'term-1.u1' })
  expect(read('a')).toBe('old a\n')
  expect(room().undo('term-1.u1', [])).toMatchObject({ back: 1, undo: 'term-1.u2' })
  expect(read('a')).toBe('mine\n')
  expect(room().undo('term-1.1', [])).toMatchObject({ back: 1, failed: [{ reason: 'it is not kept any more' }] })
  expect(read('b')).toBe('old b\n')
})

test('an undo follows no link that leads out of the workspace', async () => {
  const outside = scratchFolder()
  await run(`rm src/c; rm -r src; ln -s ${outside} src`)
  const { back, failed } = room().undo('term-1.1', [])
  expect([back, failed.map(({ reason }) => reason)]).toEqual([0, [`${join(workspace, 'src')} is no folder now`]])
  expect(execFileSync('ls', [outside], { encoding: 'utf8' })).toBe('')
  expect(readlinkSync(join(workspace, 'src'))).toBe(outside)
})

test('a folder that is in the way is left alone, and named', async () => {
  await run('rm a; mkdir a')
  expect(room().undo('term-1.1', [])).toMatchObject({
    back: 0,
    failed: [{ path: join(workspace, 'a'), reason: 'a folder is there now' }],
  })
})

test('a deletion of more than a job may keep is asked about, and an overwriting of more is listed as lost', async () => {
  jobBytes = 20
  for (const name of ['big', 'bigger']) writeFileSync(join(workspace, name), Buffer.alloc(100))
  const terminal = await start('cp b big; rm bigger; echo "code $?"')
  expect(await terminal.answer('deny')).toMatchObject({ verb: 'delete', path: join(workspace, 'bigger') })
  await terminal.recorder.exit
  expect(terminal.text).toContain('code 1')
  await terminal.pty.close({ graceMs: 100, leaveDaemons: false })
  expect(room().list()[0]).toMatchObject({ command: 'cp b big', files: 0, lost: 1 })
})

test('a folder of kept files that was removed is made again', async () => {
  const terminal = await start('rm a; read; rm b; rm src/c; echo "code $?"; read')
  await until(() => room().list().length === 1)
  rmSync(join(kept, 'term-1'), { recursive: true })
  await terminal.pty.write(Buffer.from('\n'))
  await terminal.answer('deny')
  await terminal.recorder.until(({ text }) => text.includes('code 0'))
  await until(() =>
    room()
      .list()
      .some(({ id }) => id === 'term-1.3'),
  )
  expect(room().files('term-1.3')).toMatchObject([{ path: join(workspace, 'src/c'), state: 'kept' }])
  await terminal.pty.close({ graceMs: 100, leaveDaemons: false })
})

test('a file that is too large for a copy is kept by its name, also from a sandbox', async () => {
  const size = 9 << 20
  for (const name of ['one', 'two']) writeFileSync(join(workspace, name), Buffer.alloc(size, name))
  const { questions } = await run('rm one; bwrap --dev-bind / / --bind . /mnt rm /mnt/two')
  expect(questions).toEqual([])
  expect(undoAll().flatMap(({ failed }) => failed)).toEqual([])
  for (const name of ['one', 'two']) expect(read(name)).toBe(Buffer.alloc(size, name).toString())
})

test('many files are kept in segments, and all of them come back', async () => {
  await run('mkdir many; cd many; seq 5000 | xargs touch; sleep 0.1; true')
  const before = listing()
  await run('rm -rf many')
  expect(room().list()).toMatchObject([{ files: 5_001 }])
  expect(undoAll()).toMatchObject([{ back: 5_001, failed: [] }])
  expect(listing()).toBe(before)
})

test.each(['', 'term-1', 'term-1.9', 'term-9.1', '../x.1', 'term-1.u1'])(
  'there is nothing to undo as "%s"',
  async (id) => {
    await run('rm a')
    expect(() => room().undo(id, [])).toThrow('There is nothing to undo')
  },
)
