/** A gate that asks, on a real ptyhost: calls wait, go on, fail, and are done on what was judged. */

import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { descendantsOf, open, openHost, type TestHost } from '../harness/host-fixture.ts'
import { until } from '../harness/instance.ts'
import { scratchFolder } from '../harness/scratch.ts'
import { GatedTerminal } from './gated-terminal.ts'

let host: TestHost
beforeAll(async () => {
  host = await openHost()
})
afterAll(() => host.stop())

let home: string
let workspace: string
let keep: string

beforeEach(() => {
  home = scratchFolder()
  workspace = join(home, 'proj')
  keep = join(home, 'keep')
  mkdirSync(workspace)
  mkdirSync(keep)
  mkdirSync(join(home, '.ssh'))
  for (const name of ['a', 'b', 'c']) writeFileSync(join(keep, name), 'kept\n')
})

const tableFor = (deadlineMs: number) =>
  [
    `asks ${deadlineMs}`,
    ...['/dev', tmpdir(), workspace].map((path) => `free ${path}`),
    `guarded ${join(home, '.ssh')}`,
    `elsewhere ${home}`,
    `guarded ${home}/.bashrc`,
    '',
  ].join('\n')

const longMs = 600_000

async function openGated(script: string, deadlineMs = longMs): Promise<GatedTerminal> {
  const env = { HOME: home, PWD: workspace }
  const { pty } = await open(host.link, ['/bin/bash', '-c', script], {
    env,
    cwd: workspace,
    gate: tableFor(deadlineMs),
  })
  return new GatedTerminal(pty)
}

const close = (terminal: GatedTerminal) => terminal.pty.close({ graceMs: 100, leaveDaemons: false })

test('a new folder is free everywhere, and has the mask of its process', async () => {
  const terminal = await openGated('umask 022; mkdir -m 777 ~/.ssh/d; mkdir ~/.ssh/e; echo "code $?"')
  await terminal.recorder.exit
  expect([terminal.text, terminal.questions]).toEqual(['code 0\r\n', []])
  expect(['d', 'e'].map((name) => statSync(join(home, '.ssh', name)).mode & 0o777)).toEqual([0o777, 0o755])
  await close(terminal)
})

describe('a call that is asked about', () => {
  test.each<[string, string, () => boolean]>([
    ['deletes', 'rm ~/keep/a', () => !existsSync(join(keep, 'a'))],
    ['deletes a folder', 'rm -rf ~/keep', () => !existsSync(keep)],
    ['overwrites', 'echo new > ~/keep/a', () => readFileSync(join(keep, 'a'), 'utf8') === 'new\n'],
    ['appends', 'echo new >> ~/keep/a', () => readFileSync(join(keep, 'a'), 'utf8') === 'kept\nnew\n'],
    ['truncates', 'truncate -s 2 ~/keep/a', () => statSync(join(keep, 'a')).size === 2],
    ['moves', 'mv ~/keep/a ~/x', () => existsSync(join(home, 'x')) && !existsSync(join(keep, 'a'))],
    ['changes a mode', 'chmod 604 ~/keep/a', () => (statSync(join(keep, 'a')).mode & 0o777) === 0o604],
    [
      'makes a file, with the mask of its process',
      'umask 026; echo k > ~/.ssh/key',
      () => (statSync(join(home, '.ssh/key')).mode & 0o777) === 0o640,
    ],
    ['makes a link', 'ln -s /x ~/.ssh/l', () => !existsSync(join(home, '.ssh/l'))],
  ])('waits, and once it is allowed it %s', async (_name, script, isDone) => {
    const terminal = await openGated(`${script}; echo "code $?"`)
    await terminal.answer('allow')
    await terminal.recorder.exit
    expect([terminal.text, isDone()]).toEqual(['code 0\r\n', true])
    expect(terminal.questions).toMatchObject([{ answer: 'allowed' }])
    await close(terminal)
  })

  test('fails when it is denied, and so do all of the same question', async () => {
    const terminal = await openGated('rm -f ~/keep/a ~/keep/b; rm ~/keep/c; echo "code $?"; cat ~/keep/a')
    const { area } = await terminal.answer('deny')
    await terminal.recorder.exit
    expect(terminal.text).toMatch(/rm: cannot remove .*Permission denied\r\n(.*\r\n)+code 1\r\nkept\r\n$/)
    expect([area, terminal.questions.length]).toEqual([keep, 1])
    await close(terminal)
  })

  test('fails at the deadline', async () => {
    const terminal = await openGated('rm ~/keep/a; echo "code $?"', 50)
    await terminal.recorder.exit
    expect(terminal.text).toMatch(/Permission denied\r\ncode 1\r\n$/)
    await until(() => terminal.questions[0]?.answer === 'expired')
    expect(existsSync(join(keep, 'a'))).toBe(true)
    await close(terminal)
  })

  test('is one question for a job, one more for another effect, and does not stop other programs', async () => {
    const terminal = await openGated(
      '(rm -rf ~/keep; echo removed) & echo free > f; cat f; echo x > ~/new; cat ~/new; wait',
    )
    await terminal.recorder.until(({ text }) => text.includes('free\r\nx\r\n'))
    expect(await terminal.question()).toMatchObject({ verb: 'delete', area: keep, program: 'rm', count: 1 })
    await terminal.answer('allow')
    await terminal.recorder.until(({ text }) => text.includes('removed'))
    // The count of a question follows within a second.
    await until(() => terminal.questions[0]?.count === 4)
    expect(terminal.questions).toMatchObject([{ verb: 'delete', answer: 'allowed' }])
    await close(terminal)
  })
})

test('Ctrl-C ends a program whose call is held', async () => {
  const terminal = await openGated('trap "echo caught" INT; rm ~/keep/a; echo "code $?"')
  await terminal.question()
  await terminal.pty.write(Buffer.from('\x03'))
  await terminal.recorder.exit
  expect(terminal.text).toContain('caught')
  expect(existsSync(join(keep, 'a'))).toBe(true)
  await close(terminal)
})

test('Ctrl-Z stops it, and when it goes on its call is asked about under the same question', async () => {
  const terminal = await openGated('set -m; rm ~/keep/a; echo "stopped $?"; fg >/dev/null; echo "code $?"')
  await terminal.question()
  await terminal.pty.write(Buffer.from('\x1a'))
  await terminal.recorder.until(({ text }) => text.includes('stopped'))
  const { id } = await terminal.answer('allow')
  await terminal.recorder.exit
  expect(terminal.text).toContain('code 0')
  expect([existsSync(join(keep, 'a')), terminal.questions.map((one) => one.id)]).toEqual([false, [id]])
  await close(terminal)
})

function nameOf(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8')
  } catch {
    // It has ended.
    return null
  }
}

test('a killed supervisor leaves the call held, and its question can be answered afterwards', async () => {
  const terminal = await openGated('rm ~/keep/a; echo "code $?"')
  const { id } = await terminal.question()
  const supervisor = () => descendantsOf(host.link.pid).find((pid) => nameOf(pid) === 'agentpty-gate\n')
  const first = supervisor()
  process.kill(first as number, 'SIGKILL')
  await until(() => supervisor() !== undefined && supervisor() !== first)
  expect(existsSync(join(keep, 'a'))).toBe(true)
  terminal.pty.answerGate({ kind: 'answer', id, answer: 'allow' })
  await terminal.recorder.exit
  expect(terminal.text).toBe('code 0\r\n')
  await close(terminal)
})

test('an owner that has just come gets the open questions again', async () => {
  const terminal = await openGated('rm ~/keep/a')
  const { id } = await terminal.question()
  terminal.messages.length = 0
  terminal.pty.answerGate({ kind: 'list' })
  expect(await terminal.question()).toMatchObject({ id, answer: 'open', count: 1 })
  await close(terminal)
})

test('many questions become one, and its answer is for the calls that wait', async () => {
  const jobs = Array.from({ length: 12 }, (_, at) => `setsid rm ~/k${at}/f &`)
  for (let at = 0; at < 12; at++) {
    mkdirSync(join(home, `k${at}`))
    writeFileSync(join(home, `k${at}/f`), '')
  }
  const terminal = await openGated(`${jobs.join('\n')} wait; echo done`)
  await until(() => terminal.questions.reduce((sum, { count }) => sum + count, 0) === 12)
  expect(terminal.questions.map(({ verb }) => verb).sort()).toEqual([
    'anything',
    ...Array.from({ length: 5 }, () => 'delete'),
  ])
  for (const { id } of terminal.questions) terminal.pty.answerGate({ kind: 'answer', id, answer: 'allow' })
  await terminal.recorder.exit
  expect(Array.from({ length: 12 }, (_, at) => existsSync(join(home, `k${at}/f`)))).not.toContain(true)
  await close(terminal)
})

test('free work is done as without a gate', async () => {
  const script = `
    umask 027; mkdir -p d/e; echo x > d/e/f; ln -s f d/e/l; ln d/e/f d/e/h; mkfifo d/p; chmod 4711 d/e/h; touch -d 2001-01-01 d/e/f
    cat d/p > d/q & echo through > d/p; wait; cp -a d d2; mv d2/e/f d2/e/g; truncate -s 100 d2/e/g; exec 3<> d2/e/g; echo mid >&3
    python3 - <<'EOF'
import os, tempfile
open('py', 'x').close()
try: open('py', 'x')
except FileExistsError: print('exists')
with tempfile.TemporaryFile(dir='.') as t: t.write(b'x'); print('temporary', os.fstat(t.fileno()).st_nlink)
os.rename('py', 'py2'); os.replace('py2', 'py3'); print(sorted(os.listdir('.')))
EOF
    ln -s . dot; rm d2/p/ ; rmdir d/. ; mkdir new/ ; rm -r new/ ; mv d2/q nothing/ ; : > q/ ; ln d2/q dot/../d/ ; rmdir dot/ ; rm none/x ; mv d2 d2/e
    find . -printf '%p %y %m %s %n\\n' | sort; rm -rf d2; ls`
  const results = []
  for (const gate of ['', tableFor(longMs)]) {
    const cwd = scratchFolder(workspace)
    const { pty } = await open(host.link, ['/bin/bash', '-c', script], { env: { HOME: home, PWD: cwd }, cwd, gate })
    const terminal = new GatedTerminal(pty)
    await terminal.recorder.exit
    results.push(terminal.text)
    expect(terminal.questions).toEqual([])
    await close(terminal)
  }
  expect(results[1]).toBe(results[0])
})
