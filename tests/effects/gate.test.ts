/** The gate of a terminal on a real ptyhost: what programs do to files is reported, and goes on. */

import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EffectQuestion } from '@agentpty/protocol/effects'
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
let table: string

beforeEach(() => {
  home = scratchFolder()
  workspace = join(home, 'proj')
  mkdirSync(join(workspace, '.git'), { recursive: true })
  mkdirSync(join(home, 'keep'))
  mkdirSync(join(home, '.cache'))
  writeFileSync(join(home, 'keep/a.txt'), 'kept\n')
  table = [
    // The home is in the folder of temporary files here: its own row is longer.
    ...['/dev', '/dev/pts', tmpdir(), join(home, '.cache'), workspace].map((path) => `free ${path}`),
    ...['/etc', join(home, '.ssh'), join(home, '.cache/own')].map((path) => `guarded ${path}`),
    `elsewhere ${home}`,
    `guarded ${home}/.bashrc`,
    ...[home, workspace, join(workspace, '.git')].map((path) => `whole ${path}`),
  ]
    .map((row) => `${row}\n`)
    .join('')
})

/** Runs a program in a gated terminal to its end. */
async function questionsOf(...argv: readonly string[]) {
  const env = { HOME: home, PWD: workspace }
  const { pty } = await open(host.link, argv, { env, cwd: workspace, gate: table })
  const terminal = new GatedTerminal(pty)
  await terminal.recorder.exit
  await until(() => terminal.messages.some(({ kind }) => kind === 'state'))
  await pty.close({ graceMs: 100, leaveDaemons: false })
  return terminal
}

const inShort = (questions: readonly EffectQuestion[]) =>
  questions.map(({ verb, area, program }) => `${program} ${verb} ${area.replace(home, '~')}`)

const sh = async (script: string) => inShort((await questionsOf('/bin/sh', '-c', script)).questions)

describe('asked about', () => {
  test.each<[string, string, readonly string[]]>([
    ['a folder that was there', 'rm -rf ~/keep', ['rm delete ~/keep']],
    ['its overwriting', ': > ~/keep/a.txt', ['sh write ~/keep']],
    ['appending to it', 'echo x >> ~/keep/a.txt', ['sh write ~/keep']],
    ['truncating it', 'truncate -s 0 ~/keep/a.txt', ['truncate write ~/keep/a.txt']],
    ['moving it away', 'mv ~/keep ~/other', ['mv move ~/keep']],
    ['moving something over it', 'echo x > ~/n; mv -f ~/n ~/keep/a.txt', ['mv write ~/keep/a.txt']],
    ['its mode', 'chmod 000 ~/keep/a.txt', ['chmod mode ~/keep/a.txt']],
    ['a new start-up file', 'echo x > ~/.bashrc.lock; echo x > ~/.bashrc', ['sh create ~/.bashrc']],
    ['a new file in a guarded folder', 'mkdir ~/.ssh; : > ~/.ssh/config', ['sh create ~/.ssh']],
    ['the repository of the workspace', 'rm -rf .git', ['rm delete ~/proj/.git']],
    ['the workspace itself', 'mv ~/proj ~/elsewhere', ['mv move ~/proj']],
    ['a file through a link', 'ln -s ~/keep/a.txt l; echo x > l', ['sh write ~/keep']],
    ['a file through a folder that is a link', 'ln -s ~/keep d; rm d/a.txt', ['rm delete ~/keep/a.txt']],
    ['a file by a path from above', 'cd ~/keep && rm ../keep/a.txt', ['rm delete ~/keep/a.txt']],
    ['a file by a descriptor of its process', 'exec 3<~/keep; rm /proc/self/fd/3/a.txt', ['rm delete ~/keep']],
    ['closing a free folder around a guarded one', 'chmod 0 ~/.cache', ['chmod mode ~/.cache']],
    ['moving it away', 'mv ~/.cache ~/c', ['mv move ~/.cache']],
    ['a guarded file that gets another name', 'echo x > ~/.bashrc; ln ~/.ssh/k k', []],
  ])('%s', async (name, script, expected) => {
    if (name.startsWith('a guarded file')) {
      mkdirSync(join(home, '.ssh'))
      writeFileSync(join(home, '.ssh/k'), 'key')
      expect(await sh(script)).toEqual(['sh create ~/.bashrc', 'ln link ~/.ssh/k'])
    } else expect(await sh(script)).toEqual(expected)
  })

  test('a folder with many files once, with the number of its calls', async () => {
    for (let at = 0; at < 300; at++) writeFileSync(join(home, `keep/f${at}`), '')
    const { questions } = await questionsOf('/bin/sh', '-c', 'rm -rf ~/keep')
    expect(questions).toMatchObject([{ verb: 'delete', area: join(home, 'keep'), count: 302 }])
    expect(existsSync(join(home, 'keep'))).toBe(false)
  })
})

const boundSocket = `
import os, socket
os.chdir(os.environ["HOME"])
one = socket.socket(socket.AF_UNIX)
one.bind("s")
os.chmod("s", 0o600)
os.rename("s", "t")
one.close()
os.unlink("t")`

describe('free is', () => {
  test.each<[string, string]>([
    ['all of the workspace', 'mkdir -p a/b; echo x > a/b/c; chmod 600 a/b/c; mv a z; rm -rf z'],
    ['reading anywhere', 'cat ~/keep/a.txt /etc/passwd > /dev/null; ls -laR ~ > /dev/null'],
    ['a new file elsewhere', 'echo x > ~/new; mkdir ~/folder'],
    ['what the terminal has made', 'echo x > ~/new; echo y >> ~/new; chmod 600 ~/new; mv ~/new ~/newer; rm ~/newer'],
    ['a tree that it has made', 'mkdir -p ~/t/u; for i in 1 2 3; do echo x > ~/t/u/$i; done; rm -rf ~/t'],
    ['its own terminal', 'chmod 600 "$(tty)"'],
    ['a socket that it has bound', `python3 -c '${boundSocket}'`],
    ['what it has moved out of the workspace', 'echo x > f; mv f ~/f; echo y > ~/f; rm ~/f'],
    [
      'a device, a pipe, and its own descriptors',
      'echo x > /dev/null; echo y > /dev/stderr; echo z | tee /dev/fd/2 | cat',
    ],
    ['its own process', 'echo 0 > /proc/self/oom_score_adj; echo 0 > /proc/$$/oom_score_adj'],
    ['what fails anyway', 'rm ~/none 2>/dev/null; echo x 2>/dev/null > ~/none/x; mkdir ~/keep 2>/dev/null; true'],
  ])('%s', async (_name, script) => {
    expect(await sh(script)).toEqual([])
  })
})

test('a file that another process has made is asked about, however young', async () => {
  const asked = questionsOf('/bin/sh', '-c', 'until [ -e go ]; do :; done; rm ~/fresh')
  writeFileSync(join(home, 'fresh'), '')
  writeFileSync(join(workspace, 'go'), '')
  expect(inShort((await asked).questions)).toEqual(['rm delete ~/fresh'])
})

test('a terminal reports its gate first, and its output and exit are as without one', async () => {
  const { messages, text } = await questionsOf('/bin/sh', '-c', 'echo up; rm -rf ~/keep')
  expect([messages[0], text]).toEqual([{ kind: 'state', state: 'journal', reason: '' }, 'up\r\n'])
})

test('no process is left when a terminal with a gate is closed', async () => {
  const { pty } = await open(host.link, ['/bin/sh', '-c', 'echo up; sleep 1000 & sleep 1000'], { gate: table })
  const { recorder } = new GatedTerminal(pty)
  await recorder.until(({ text }) => text.includes('up'))
  expect(await pty.close({ graceMs: 100, leaveDaemons: false })).toEqual({ survivors: 0 })
  expect(descendantsOf(host.link.pid)).toEqual([])
})

function supervisors(): readonly number[] {
  return descendantsOf(host.link.pid).filter(
    (pid) => readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'agentpty-gate',
  )
}

test('a killed supervisor is started again, and no call fails', async () => {
  const script = 'echo up; read a; rm ~/keep/a.txt && echo removed; read b'
  const { pty } = await open(host.link, ['/bin/sh', '-c', script], { env: { HOME: home }, cwd: workspace, gate: table })
  const { messages, recorder } = new GatedTerminal(pty)
  await recorder.until(({ text }) => text.includes('up'))
  const [first = 0] = supervisors()
  process.kill(first, 'SIGKILL')
  await pty.write(Buffer.from('\n'))
  await recorder.until(({ text }) => text.includes('removed'))
  await until(() => messages.some(({ kind }) => kind === 'asks'))
  expect(supervisors()).toEqual([expect.not.toSatisfy((pid) => pid === first)])
  await pty.close({ graceMs: 100, leaveDaemons: false })
})

test('below another supervisor a terminal has none, says so, and its programs run', async () => {
  const program = `${process.cwd()}/native/ptyhost/build/ptyhost`
  const { text } = await questionsOf('/bin/sh', '-c', `${program} --gate-check`)
  expect(text).toBe('another supervisor of system calls is above this process\r\n')
})

const lines = readFileSync(new URL('destructive-lines.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && hasPrograms(line))

/** Some lines need a program that this machine may not have. */
function hasPrograms(line: string): boolean {
  const needed = ['python3', 'perl', 'node', 'git', 'sqlite3', 'gdb', 'ex', 'vim', 'tmux', 'make', 'gawk']
  const named = needed.filter((name) => new RegExp(`(^|[|;( ])${name} `).test(line))
  return named.every((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0)
}

test.each(lines)('one of the ways to destroy a file is seen: %s', async (line) => {
  execFileSync('git', ['init', '-q', join(home, 'keep')])
  const before = contents()
  const { questions } = await questionsOf('/bin/bash', '-c', line)
  // Lines that have destroyed nothing here, because their program failed, need not be asked about.
  if (contents() !== before) expect(questions.length).toBeGreaterThan(0)
  expect(questions.every(({ path }) => path.startsWith(home))).toBe(true)
})

function contents(): string {
  const folder = join(home, 'keep')
  if (!existsSync(folder)) return 'gone'
  const files = readdirSync(folder).filter((name) => name !== '.git')
  return files.map((name) => `${name} ${execFileSync('stat', ['-c', '%a %s', join(folder, name)])}`).join()
}
