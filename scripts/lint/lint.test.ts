/** The rules of our own among those of biome, each with the smallest file that breaks it and the nearest that does not. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'

const biome = path.resolve(import.meta.dirname, '../../node_modules/.bin/biome')

const Report = z.object({
  diagnostics: z.array(z.object({ message: z.string(), location: z.object({ path: z.string() }) })),
})

type Row = readonly [title: string, file: string, text: string, message?: string]

/** Lints all files in one run. Returns the messages about each: a run for each file took longer than all rules together. */
function problemsIn(rows: readonly Row[]): readonly string[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'agentpty-lint-'))
  try {
    const plugins = ['calls', 'order'].map((name) => path.join(import.meta.dirname, `${name}.grit`))
    writeFileSync(path.join(folder, 'biome.json'), JSON.stringify({ plugins, linter: { rules: { preset: 'none' } } }))
    for (const [index, [, file, text]] of rows.entries()) {
      const target = path.join(folder, String(index), file)
      mkdirSync(path.dirname(target), { recursive: true })
      writeFileSync(target, text)
    }
    const args = ['lint', '--max-diagnostics=none', '--reporter=json', '.']
    const { stdout } = spawnSync(biome, args, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 26 })
    const { diagnostics } = Report.parse(JSON.parse(stdout))
    return rows.map((_, index) =>
      diagnostics
        .filter(({ location }) => location.path.startsWith(`${index}/`))
        .map(({ message }) => message)
        .join('\n'),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const source = 'packages/engine/src/log/a.ts'

const refused: readonly Row[] = [
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
]

const allowed: readonly Row[] = [
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
]

const problems = problemsIn([...refused, ...allowed])

test.each(refused.map((row, index) => ({ title: row[0], message: row[3], found: problems[index] })))(
  '$title is refused',
  ({ message, found }) => {
    expect(found).toContain(message)
  },
)

test.each(allowed.map((row, index) => ({ title: row[0], found: problems[refused.length + index] })))(
  '$title is allowed',
  ({ found }) => {
    expect(found).toBe('')
  },
)
