/** What of the Python package needs gymnasium; all else of it is a suite of its own (`npm test`), which says aloud that this is left out there. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../harness/instance.ts'
import { gymnasiumFolder } from './gymnasium.ts'

const folder = 'python/tests'
const file = 'test_gymnasium.py'

test('environments pass gymnasium’s own checks, alone and as vectors', { timeout: 600_000 }, async () => {
  const gymnasium = gymnasiumFolder()
  const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '/', LANG: 'C.UTF-8' }
  const more = gymnasium === null ? {} : { PYTHONPATH: gymnasium }
  const done = await run('python3', ['-m', 'unittest', 'discover', '-s', folder, '-p', file], { ...env, ...more })
  const written = readFileSync(join(folder, file), 'utf8').match(/^ {4}(async )?def test_/gm)?.length
  // Where it cannot be had, the module says so and counts as one.
  expect(done.stderr).toMatch(gymnasium === null ? /^OK \(skipped=1\)$/m : /^OK$/m)
  expect(done.stderr).toContain(gymnasium === null ? 'Ran 1 test' : `Ran ${written} tests`)
  expect(done.code).toBe(0)
})
