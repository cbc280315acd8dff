/** The part of the Python package that needs gymnasium. The rest has its own suite (`npm test`), which reports that this part is left out. */

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
  // If gymnasium is unavailable, the module reports that and counts as one.
  expect(done.stderr).toMatch(gymnasium === null ? /^OK \(skipped=1\)$/m : /^OK$/m)
  expect(done.stderr).toContain(gymnasium === null ? 'Ran 1 test' : `Ran ${written} tests`)
  expect(done.code).toBe(0)
})
