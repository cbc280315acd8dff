/** The Python package passes its own tests with gymnasium; without it they are a suite of their own. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../e2e/instance.ts'
import { gymnasiumFolder } from './gymnasium.ts'

const folder = 'python/tests'

test('the Python package passes all of its tests', { timeout: 600_000 }, async () => {
  const gymnasium = gymnasiumFolder()
  const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '/', LANG: 'C.UTF-8' }
  const more = gymnasium === null ? {} : { PYTHONPATH: gymnasium }
  const done = await run('python3', ['-m', 'unittest', 'discover', '-s', folder], { ...env, ...more })
  expect(done.stderr).toMatch(gymnasium === null ? /^OK \(skipped=1\)$/m : /^OK$/m)
  expect(done.code).toBe(0)
  // A module that is skipped counts as one.
  const files = readdirSync(folder).filter((name) => /^test_.*\.py$/.test(name))
  const counts = files.map((name) => (gymnasium === null && name === 'test_gymnasium.py' ? 1 : testsIn(name)))
  const total = counts.reduce((sum, count) => sum + count, 0)
  expect(done.stderr).toContain(`Ran ${total} tests`)
})

const testsIn = (name: string) =>
  readFileSync(join(folder, name), 'utf8').match(/^ {4}(async )?def test_/gm)?.length ?? 0
