/** The limit of the output retained for all terminals together. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { scratchInstance } from '../harness/scratch.ts'

const instance = scratchInstance()

beforeAll(() => writeFileSync(join(instance.home, 'config.yaml'), 'logBytesTotal: 67108864\nsessionsMax: 20\n'))

test('each terminal retains less when the total exceeds the limit, also after a restart of the daemon', async () => {
  const rpc = await instance.rpc()
  const keptOf = async (client: typeof rpc, terminalId: string) => {
    const { missedBytes = 0, cursor } = await client.call('read', { terminalId, since: 0, maxBytes: 1_000 })
    return cursor - missedBytes
  }
  const printed = async () => {
    const { terminalId } = await rpc.call('create', {
      command: ['seq', '1400000'],
      waitFor: 'exit',
      waitTimeoutMs: 60_000,
    })
    return terminalId
  }
  const first = await printed()
  const idle = await Promise.all(Array.from({ length: 12 }, () => rpc.call('create', { command: ['cat'] })))
  const last = await printed()
  expect(idle).toHaveLength(12)
  const keptOfFirst = await keptOf(rpc, first)
  const keptOfLast = await keptOf(rpc, last)
  expect(keptOfLast).toBeLessThan(keptOfFirst)
  await instance.killDaemon()
  expect(await keptOf(await instance.rpc(), last)).toBe(keptOfLast)
})
