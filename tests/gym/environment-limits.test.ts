/** The limit of open environments: exactly the number in config.yaml, even for simultaneous requests. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { Instance } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'

let instance: Instance

beforeEach(() => {
  instance = scratchInstance()
})

test('400 simultaneous requests open exactly as many as the settings allow', async () => {
  writeFileSync(join(instance.home, 'config.yaml'), 'gym:\n  environmentsMax: 7\n')
  const client = await instance.rpc()
  const asked = Array.from({ length: 400 }, () => client.call('makeEnvironment', {}))
  const settled = await Promise.allSettled(asked)
  const made = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  expect(made).toHaveLength(7)
  const refused = settled.find((one) => one.status === 'rejected')
  expect(refused?.reason).toMatchObject({
    code: 'limit_reached',
    message: '7 environments are open, which is the limit.',
    hint: expect.stringContaining('environmentsMax below gym in config.yaml'),
  })
  expect(refused?.reason.hint).not.toContain('isolation')
  expect((await client.call('environments', {})).environments).toHaveLength(7)
  await client.call('closeEnvironment', { environmentId: made[0]?.environmentId ?? '' })
  await client.call('makeEnvironment', {})
  await expect(client.call('forkEnvironment', { environmentId: made[1]?.environmentId ?? '' })).rejects.toMatchObject({
    code: 'limit_reached',
  })
})
