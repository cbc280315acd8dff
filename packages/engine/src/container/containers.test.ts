import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { systemClock } from '../host/system-clock.ts'
import { Containers } from './containers.ts'

const folder = mkdtempSync(join(tmpdir(), 'agentpty-containers-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a host that has no room for one more says so, and advises no looser wall', async () => {
  const program = join(folder, 'full')
  writeFileSync(program, '#!/bin/sh\necho "failed 1 too many of them"\nexec cat >/dev/null\n')
  chmodSync(program, 0o755)
  const containers = new Containers({ clock: systemClock, program })
  const limits = { memoryBytes: 1, processes: 1, fileBytes: 1 }
  const error = await containers.start(['x'], limits).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ code: 'limit_reached', message: expect.stringContaining('1024 containers run') })
  expect(String(Object.values(error as object))).not.toContain('isolation')
  await containers.close()
})
