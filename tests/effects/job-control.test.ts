/** Jobs whose call is held: shells, signals and time limits do with them what they do with any job that waits. */

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHost, type TestHost } from '../harness/host-fixture.ts'
import { until } from '../harness/instance.ts'
import { GatedHome } from './gated-home.ts'

let host: TestHost
beforeAll(async () => {
  host = await openHost()
})
afterAll(() => host.stop())

/** A shell as a person has it, whose prompt is `> `. */
async function openShell(home: GatedHome) {
  const terminal = await home.open('', {
    argv: ['/bin/bash', '--norc', '--noprofile', '-i'],
    env: { PS1: '> ', TERM: 'dumb', HISTFILE: '/dev/null' },
  })
  const type = (keys: string) => terminal.pty.write(Buffer.from(keys))
  /** Resolves when the text is shown after what was shown before. */
  const shows = async (text: string, after = 0) => {
    await terminal.recorder.until((shown) => shown.text.includes(text, after))
    return terminal.text.length
  }
  await shows('> ')
  return { terminal, type, shows }
}

/** Whether a process group has the terminal. Bash prints the command of `fg` before it hands the terminal over. */
function inForeground(group: number): boolean {
  const stat = readFileSync(`/proc/${group}/stat`, 'utf8')
  const [, , , , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(foreground) === group
}

test('Ctrl-C gives the prompt back, and the next command runs', async () => {
  const home = new GatedHome(host)
  const { terminal, type, shows } = await openShell(home)
  await type('rm ~/keep/a\n')
  await terminal.question()
  await type('\x03')
  const at = await shows('^C')
  await type('echo "code $?" next\n')
  await shows('code 130 next', at)
  expect(home.kept).toEqual(['a', 'b', 'c'])
  await terminal.close()
})

test('Ctrl-Z stops a job, an answer does not run it, and in the background it comes to its end', async () => {
  const home = new GatedHome(host)
  const { terminal, type, shows } = await openShell(home)
  await type('rm -v ~/keep/a\n')
  await terminal.question()
  await type('\x1a')
  let at = await shows('Stopped')
  await terminal.answer('allow')
  await type('echo "shell $((1 + 1))"\n')
  at = await shows('shell 2', at)
  expect(home.kept).toEqual(['a', 'b', 'c'])
  await type('bg\n')
  await shows('removed', at)
  expect([home.kept, terminal.questions.length]).toEqual([['b', 'c'], 1])
  await terminal.close()
})

test('a job in the background is held while the shell goes on, and in the foreground it can be ended', async () => {
  const home = new GatedHome(host)
  const { terminal, type, shows } = await openShell(home)
  await type('rm ~/keep/a &\n')
  const { group } = await terminal.question()
  await type('echo x > f; cat f; rm f; jobs\n')
  await shows('Running')
  await type('fg\n')
  await until(() => inForeground(group))
  await type('\x03')
  await type('echo "code $?"\n')
  await shows('code 130')
  expect([home.kept, terminal.questions.map(({ answer }) => answer)]).toEqual([['a', 'b', 'c'], ['open']])
  await terminal.close()
})

test('kill -9 ends a job whose call is held', async () => {
  const home = new GatedHome(host)
  const terminal = await home.open('rm ~/keep/a & read; kill -9 $!; wait $!; echo "code $?"; read')
  await terminal.question()
  await terminal.pty.write(Buffer.from('\n'))
  await terminal.recorder.until(({ text }) => text.includes('code 137'))
  await terminal.close()
  expect(home.kept).toEqual(['a', 'b', 'c'])
})

test('the question of a job that has ended is withdrawn', async () => {
  const home = new GatedHome(host)
  const terminal = await home.open('set -m; rm ~/keep/a & read; kill -9 $!; read')
  await terminal.question()
  await terminal.pty.write(Buffer.from('\n'))
  await until(() => terminal.questions[0]?.answer === 'withdrawn')
  await terminal.close()
})

test('timeout ends a program whose call is held', async () => {
  const home = new GatedHome(host)
  const terminal = await home.run('timeout 0.3 rm ~/keep/a; echo "code $?"')
  expect([terminal.text, terminal.questions.length, home.kept]).toEqual(['code 124\r\n', 1, ['a', 'b', 'c']])
})

test('a pipe whose one end is held gives the other end what came before, and ends with it', async () => {
  const home = new GatedHome(host)
  const terminal = await home.open('(echo before; rm ~/keep/a; echo after) | cat; echo "code $?"')
  await terminal.recorder.until(({ text }) => text.includes('before'))
  await terminal.answer('deny')
  await terminal.recorder.exit
  expect(terminal.text).toMatch(/^before\r\n(.*denied\r\n)?after\r\n(.*denied\r\n)?code 0\r\n$/)
  await terminal.close()
})
