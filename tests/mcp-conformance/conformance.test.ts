/** The protocol's conformance suite against our server: its fixtures, and the server that users have. */

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scratchInstance } from '../harness/scratch.ts'
import { installSuite, runSuite, withToken } from './suite.ts'

const testTimeoutMs = 180_000
const instance = scratchInstance({ AGENTPTY_HTTP_PORT: '0' })
let fixtures: ChildProcess
let url: string

beforeAll(async () => {
  installSuite()
  fixtures = spawn(process.execPath, ['--import', 'tsx', join(import.meta.dirname, 'fixtures', 'serve.ts')], {
    env: { ...instance.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  assert.ok(fixtures.stdout)
  const [line] = await once(fixtures.stdout.setEncoding('utf8'), 'data')
  url = String(line).trim()
}, testTimeoutMs)

afterAll(async () => {
  fixtures.kill('SIGTERM')
  await once(fixtures, 'exit')
})

/** Features that a revision does not require and we do not have yet. */
const unscored = (name: string) => name === 'http-custom-header-server-validation'

test(
  'every scored scenario of 2026-07-28 passes, and those of the Tasks extension',
  async () => {
    const { failed, passed, output } = await runSuite(url, '--requirements', '2026-07-28')
    expect(
      failed.filter((name) => !unscored(name)),
      output,
    ).toEqual([])
    expect(passed.filter((name) => !unscored(name)).length).toBeGreaterThanOrEqual(37)
  },
  testTimeoutMs,
)

test.each([
  ['its default suite', []],
  ['all of 2025-06-18', ['--suite', 'all', '--spec-version', '2025-06-18']],
  ['all of 2025-11-25', ['--suite', 'all', '--spec-version', '2025-11-25']],
])(
  '%s passes whole',
  async (_suite, args) => {
    const { code, failed, passed, output } = await runSuite(url, ...args)
    expect(failed, output).toEqual([])
    assert.equal(code, 0, output)
    assert.ok(passed.length > 20, output)
  },
  testTimeoutMs,
)

test.each(['dns-rebinding-protection', 'tools-list', 'caching', 'http-header-validation', 'server-session-lifecycle'])(
  'the ordinary server passes %s',
  async (scenario) => {
    const { http } = await instance.status()
    const proxy = await withToken(http?.url ?? '', await instance.token())
    const { code, output } = await runSuite(proxy.url, '--scenario', scenario)
    proxy.close()
    assert.equal(code, 0, output)
    expect(output).toMatch(/Passed: (\d+)\/\1, 0 failed/)
  },
  testTimeoutMs,
)

test(
  'the ordinary server is stateless, except for the diagnostic tools that it lacks',
  async () => {
    const { http } = await instance.status()
    const proxy = await withToken(http?.url ?? '', await instance.token())
    const { output } = await runSuite(proxy.url, '--scenario', 'server-stateless')
    proxy.close()
    const errors = output.split('\n').filter((line) => /^ +Error: /.test(line))
    expect(
      errors.filter((line) => !line.includes('does not list the diagnostic tool')),
      output,
    ).toEqual([])
  },
  testTimeoutMs,
)
