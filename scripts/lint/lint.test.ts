/** The rules of our own among those of biome, each with the smallest file that breaks it and the nearest that does not. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const biome = path.resolve(import.meta.dirname, '../../node_modules/.bin/biome')
let folder: string

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'agentpty-lint-'))
  const plugins = ['calls', 'order'].map((name) => path.join(import.meta.dirname, `${name}.grit`))
  writeFileSync(path.join(folder, 'biome.json'), JSON.stringify({ plugins, linter: { rules: { preset: 'none' } } }))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function problemsOf(file: string, text: string): string {
  const target = path.join(folder, file)
  mkdirSync(path.dirname(target), { recursive: true })
  writeFileSync(target, text)
  const { status, stdout, stderr } = spawnSync(biome, ['lint', '--max-diagnostics=none', target], {
    cwd: folder,
    encoding: 'utf8',
  })
  rmSync(target)
  expect(status === 0).toBe(!stderr.includes('×'))
  return stdout + stderr
}

const source = 'packages/engine/src/log/a.ts'

test.each([
  ['Date.now() in a source', source, 'export const a = Date.now()', 'Ask clock.now()'],
  ['performance.now() in a source', source, 'export const a = performance.now()', 'Ask clock.now()'],
  ['a call within a template', source, 'export const a = `${Date.now()}`', 'Ask clock.now()'],
  ['a new Date in a source', source, 'export const a = new Date(5)', 'Ask the Clock'],
  ['a timer in a source', source, 'setTimeout(f, 1)', 'clock.callAt()'],
  ['a timer in the page', 'packages/web/src/a.tsx', 'setInterval(f, 1)', 'clock.callAt()'],
  ['the timers module', source, "import { setTimeout as wait } from 'node:timers/promises'", 'Timers are not imported'],
  ['a sleep in a test', 'tests/e2e/a.test.ts', 'await sleep(5)', 'does not sleep'],
  [
    'a timer in a test',
    'packages/engine/src/a.test.ts',
    'await new Promise((r) => setTimeout(r, 5))',
    'does not sleep',
  ],
  ['a test that is left out', 'tests/a.test.ts', "test.skipIf(x)('a', f)", 'skipped test'],
  ['a test that asserts nothing', 'tests/a.test.ts', "test.todo('a')", 'asserts nothing'],
  ['an empty catch', source, 'try { f() } catch {}', 'hides a fault'],
  ['an empty catch of an error', source, 'try { f() } catch (error) { }', 'hides a fault'],
  ['a permit that is made', source, 'write(bytes, {} as Permit)', 'Only the pipeline'],
  ['a permit that is made by force', source, 'write(bytes, {} as unknown as PermittedContext)', 'Only the pipeline'],
  ['a later module', 'packages/server/src/call/a.ts', "import { a } from '../agents/index.ts'", 'comes after'],
  ['a type of a later module', 'packages/server/src/call/a.ts', "import type { A } from '../audit/index.ts'", 'after'],
  [
    'a later module from a folder',
    'packages/server/src/files/b/a.ts',
    "export { a } from '../../call/index.ts'",
    'after',
  ],
  ['a later module, loaded late', 'packages/server/src/state/a.ts', "await import('../doctor/index.ts')", 'after'],
  [
    'a file of another module',
    'packages/server/src/agents/a.ts',
    "import { a } from '../call/pipeline.ts'",
    'index.ts',
  ],
])('%s is refused', (_, file, text, message) => {
  expect(problemsOf(file, text)).toContain(message)
})

test.each([
  [
    'the names of calls in comments, strings and patterns',
    source,
    "// Date.now()\nexport const a = ['new Date()', /setTimeout(x)/]",
  ],
  [
    'the time in the clock of the system',
    'packages/engine/src/host/system-clock.ts',
    'export const now = () => Date.now()',
  ],
  ['time in a script', 'scripts/a.ts', 'export const a = Date.now()'],
  ['a catch that says why', source, 'try { f() } catch {\n  // It is gone already.\n}'],
  ['permits of the pipeline', 'packages/server/src/call/pipeline.ts', 'export const a = {} as Permit'],
  ['an earlier module', 'packages/server/src/agents/a.ts', "import { a } from '../call/index.ts'"],
  ['files of the own module', 'packages/server/src/agents/b/a.ts', "import { a } from '../spawn.ts'"],
  ['later modules in a test', 'packages/server/src/call/a.test.ts', "import { a } from '../agents/index.ts'"],
])('%s may stand', (_, file, text) => {
  expect(problemsOf(file, text)).not.toContain('×')
})
