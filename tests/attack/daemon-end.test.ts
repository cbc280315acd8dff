/** A daemon that ends unasked logs the reason, and the next call finds another one. */

import { readFileSync } from 'node:fs'
import { beforeEach, expect, test } from 'vitest'
import { type Instance, isAlive, until } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'

let instance: Instance
beforeEach(() => {
  instance = scratchInstance()
})

test.each<[string, (pids: { daemon: number; host: number }) => void, RegExp]>([
  ['its ptyhost was killed', ({ host }) => process.kill(host, 'SIGKILL'), /Z The daemon ends: .*\(ptyhost\) has ended/],
  ['a signal ended it', ({ daemon }) => process.kill(daemon, 'SIGTERM'), /Z Ended by SIGTERM/],
])('when %s', async (_why, end, line) => {
  const { daemon, host } = await instance.status()
  end({ daemon: daemon.pid, host: host.pid })
  await until(() => !isAlive(daemon.pid))
  expect(readFileSync(instance.paths.log, 'utf8')).toMatch(line)
  expect((await instance.status()).daemon.pid).not.toBe(daemon.pid)
})
