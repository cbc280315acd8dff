/** Real programs inside a gate that asks: debuggers, runtimes with many threads, a browser, and calls that the gate refuses. */

import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { has, openHost, type TestHost } from '../harness/host-fixture.ts'
import { scratchFolder } from '../harness/scratch.ts'
import { GatedHome } from './gated-home.ts'
import type { GatedTerminal } from './gated-terminal.ts'

const programs = join(import.meta.dirname, 'programs')
const built = scratchFolder()

let host: TestHost
beforeAll(async () => {
  execFileSync('cc', ['-g', '-o', join(built, 'victim'), join(programs, 'victim.c')])
  // Another user runs it, too.
  chmodSync(built, 0o755)
  host = await openHost()
})
afterAll(() => host.stop())

/** Runs a script that asks one question, which is answered. */
async function runAsked(home: GatedHome, script: string, answer: 'allow' | 'deny'): Promise<GatedTerminal> {
  const terminal = await home.open(script)
  await terminal.answer(answer)
  await terminal.recorder.exit
  await terminal.close()
  expect(terminal.questions).toHaveLength(1)
  return terminal
}

describe('a debugged program', () => {
  const gdb = 'gdb -batch -nx -ex "set debuginfod enabled off"'
  const debuggers: readonly (readonly [name: string, command: string, shows: RegExp])[] = [
    [
      'gdb',
      `${gdb} -ex "break delete_file" -ex run -ex bt -ex finish -ex continue --args`,
      /delete_file \(path=.*main \(argc=2/s,
    ],
    // The debugger makes the stopped program delete the file.
    [
      'gdb, which calls its function,',
      `${gdb} -ex 'break main' -ex run -ex 'print delete_file("../keep/a")' -ex continue --args`,
      /Breakpoint 1, main/,
    ],
    ['strace', 'strace -f -e trace=unlink,unlinkat', /unlink(at)?\(.*keep\/a/],
  ]
  test.each(debuggers)(
    'by %s runs, and is asked about when it deletes a guarded file',
    async (_name, command, shows) => {
      const kept = []
      for (const answer of ['deny', 'allow'] as const) {
        const home = new GatedHome(host)
        const terminal = await runAsked(home, `${command} ${built}/victim ../keep/a; cat made`, answer)
        expect(terminal.questions).toMatchObject([{ verb: 'delete', program: 'victim', path: join(home.keep, 'a') }])
        expect(terminal.text).toMatch(shows)
        expect(terminal.text).toMatch(answer === 'deny' ? /EACCES|= -1/ : /= 0/)
        expect(terminal.text).toMatch(/made\r\n$/)
        kept.push(home.kept.length)
      }
      expect(kept).toEqual([3, 2])
    },
  )
})

describe('sixteen threads that write and delete in the workspace and outside it', () => {
  const runtimes: readonly (readonly [name: string, file: string, command: string])[] = [
    ['Python', 'parallel.py', 'python3'],
    ['Node', 'parallel.mjs', `${process.execPath}`],
    ['Go', 'parallel.go', 'GOCACHE=$PWD/cache go run'],
  ]
  test.for(runtimes)('of %s come to their end, with one question', async ([_name, file, command], { skip }) => {
    if (file.endsWith('.go') && !has('go')) skip('no Go on this machine')
    for (const answer of ['allow', 'deny'] as const) {
      const home = new GatedHome(host)
      for (let at = 0; at < 16; at++) writeFileSync(join(home.keep, `k${at}`), '')
      const { text, questions } = await runAsked(home, `${command} ${join(programs, file)}`, answer)
      expect(text).toMatch(answer === 'allow' ? /refused 0\r\n$/ : /refused 16\r\n$/)
      // Go tries to remove what it cannot delete as a folder, too.
      const counts = [16, ...(file.endsWith('.go') && answer === 'deny' ? [32] : [])]
      expect(questions).toMatchObject([{ verb: 'delete', area: home.keep }])
      expect(counts).toContain(questions[0]?.count)
      expect(home.kept).toHaveLength(answer === 'allow' ? 3 : 19)
      const left = readdirSync(home.workspace).filter((name) => name !== 'cache')
      expect(left.sort()).toEqual(Array.from({ length: 16 }, (_, at) => `end${at}`).sort())
      expect(readFileSync(join(home.workspace, 'end7'), 'utf8')).toBe('7')
      expect(readdirSync(home.path).sort()).toEqual(expect.not.arrayContaining(['new0']))
    }
  })
})

test('esbuild, a program of Go, writes many files at once, and asks one question where they were there', async () => {
  const home = new GatedHome(host)
  const names = Array.from({ length: 40 }, (_, at) => `m${at}.js`)
  for (const name of names) {
    writeFileSync(join(home.workspace, name), `export const name = '${name}'\n`)
    writeFileSync(join(home.keep, name), 'kept\n')
  }
  const esbuild = `node ${resolve('node_modules/esbuild/bin/esbuild')} --log-level=error *.js`
  const terminal = await runAsked(
    home,
    `${esbuild} --outdir=out && ls out | wc -l; ${esbuild} --outdir=../keep && echo overwritten`,
    'allow',
  )
  expect(terminal.questions).toMatchObject([{ verb: 'write', program: 'esbuild' }])
  expect(terminal.text).toMatch(/^40\r\noverwritten\r\n$/)
  expect(names.map((name) => readFileSync(join(home.keep, name), 'utf8'))).toEqual(
    names.map((name) => `export const name = "${name}";\n`),
  )
})

/** Root needs Chromium without its own sandbox, and another user has it. */
const chromium = 'chromium --headless --disable-gpu --user-data-dir=$PWD/profile --dump-dom file://$PWD/page.html'
const isRoot = process.getuid?.() === 0
const browsers: readonly (readonly [name: string, command: string])[] = isRoot
  ? [
      ['without its sandbox', `${chromium} --no-sandbox`],
      ['in its sandbox, as another user', `setpriv --reuid 54321 --regid 54321 --clear-groups ${chromium}`],
    ]
  : [['in its sandbox', chromium]]

test.each(browsers)('Chromium renders a page with a profile in the workspace, %s', async (_name, command) => {
  const home = new GatedHome(host)
  writeFileSync(join(home.workspace, 'page.html'), '<script>document.write("sum " + (40 + 2))</script>')
  for (const folder of [home.path, home.workspace]) chmodSync(folder, 0o777)
  const terminal = await home.run(`export HOME=$PWD; ${command} 2>errors; echo "code $?"; cat errors`)
  expect(terminal.text).toMatch(/sum 42\r?\n?<\/body>.*code 0\r\n/s)
  expect(terminal.text).not.toContain('No usable sandbox')
  expect(terminal.questions).toEqual([])
  expect(existsSync(join(home.workspace, 'profile/Default'))).toBe(true)
})

test('Node, which would delete by io_uring, does without it, and the deletion is asked about', async () => {
  const home = new GatedHome(host)
  const code = `const { unlink, writeFile } = require('node:fs/promises')
    ;(async () => { await writeFile('f', 'x'); await unlink('f'); await unlink('../keep/a') })().catch(({ code }) => console.log(code))`
  writeFileSync(join(home.workspace, 'delete.js'), code)
  const terminal = await runAsked(home, 'UV_USE_IO_URING=1 node delete.js; ls', 'deny')
  expect(terminal.text).toBe('EACCES\r\ndelete.js\r\n')
  expect(home.kept).toEqual(['a', 'b', 'c'])
  expect(terminal.messages).toContainEqual(expect.objectContaining({ kind: 'blind', reason: 'uring' }))
})

test.runIf(process.arch === 'x64')('a call of the 32-bit instruction set is refused', async () => {
  execFileSync('cc', ['-o', join(built, 'foreign'), join(programs, 'foreign-call.c')])
  const results = []
  for (const gate of ['off', 'ask'] as const) {
    const home = new GatedHome(host)
    copyFileSync(join(built, 'foreign'), join(home.workspace, 'foreign'))
    const terminal = await home.run('./foreign ../keep/a; true', { gate })
    results.push([terminal.text, home.kept.length])
  }
  const enosys = 38
  // Some kernels have no such calls.
  if (results[0]?.[0] === 'result 0\r\n') expect(results[1]).toEqual([`result -${enosys}\r\n`, 3])
  else expect(results[1]).toEqual(results[0])
})
