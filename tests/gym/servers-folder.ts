/** The folder of private servers, for tests that start them in their own process. */

import { rmdirSync } from 'node:fs'
import { afterAll, beforeAll } from 'vitest'
import { scratchFolder } from '../harness/scratch.ts'

/** Sets it as TMPDIR for the tests of the file. Errors: at their end, if something is left in it. */
export function serversFolder(): string {
  const folder = scratchFolder()
  const before = process.env['TMPDIR']
  beforeAll(() => {
    process.env['TMPDIR'] = folder
  })
  afterAll(() => {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
    rmdirSync(folder)
  })
  return folder
}
