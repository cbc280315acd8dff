/** A client that meets a stopped daemon, or has hardly any descriptors, gets one clear message, and everything works again afterwards. */

import { expect, test } from 'vitest'
import { program, run } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'

test('a daemon stopped by a signal is named with the way to continue it, and answers then', async () => {
  const instance = scratchInstance()
  const { pid } = (await instance.status()).daemon
  process.kill(pid, 'SIGSTOP')
  try {
    const { code, stderr } = await instance.cli('ls')
    expect([code, stderr]).toEqual([3, expect.stringContaining(`kill -CONT ${pid}`)])
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  expect((await instance.status()).daemon.pid).toBe(pid)
})

test.each([20, 40, 64])('with %i descriptors a command works, or reports that there are too few', async (limit) => {
  const instance = scratchInstance()
  const script = 'ulimit -n "$1"; shift; exec "$@"'
  const words = ['-c', script, 'bash', String(limit), process.execPath, program, 'ls']
  const { code, stdout, stderr } = await run('bash', words, instance.env, { cwd: '/' })
  if (code === 0) expect(stdout).toContain('No terminals')
  else {
    expect(stderr).toMatch(/too many|open files/i)
    expect(stderr).toContain('ulimit -n')
    expect(stderr).not.toMatch(/^ {4}at /m)
  }
  expect((await instance.cli('ls')).code).toBe(0)
})
