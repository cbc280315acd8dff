/** What of the Python package needs gymnasium; all else of it is a suite of its own (`npm test`), which says aloud that this is left out there. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../e2e/instance.ts'
import { gymnasiumFolder } from './gymnasium.ts'

const folder = 'python/tests'
const file = 'test_gymnasium.py'
const gymnasium = gymnasiumFolder()

test.skipIf(gymnasium === null)(
  'environments pass gymnasium’s own checks, alone and as vectors',
  { timeout: 600_000 },
  async () => {
    const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '/', LANG: 'C.UTF-8' }
    const args = ['-m', 'unittest', 'discover', '-s', folder, '-p', file]
    const done = await run('python3', args, { ...env, PYTHONPATH: gymnasium ?? '' })
    expect(done.stderr).toMatch(/^OK$/m)
    expect(done.code).toBe(0)
    const written = readFileSync(join(folder, file), 'utf8').match(/^ {4}(async )?def test_/gm)?.length
    expect(done.stderr).toContain(`Ran ${written} tests`)
  },
)
