/** The contract for terminals with a gate that asks, for an ordinary user: nothing that it does is asked about. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { users } from '../harness/behind-walls.ts'
import { Instance } from '../harness/instance.ts'
import { describeContract } from './contract.ts'

const [, userId] = users.find(([, id]) => id !== 0) ?? ['this user', process.getuid?.()]

describeContract('the daemon’s socket, in terminals with a gate', async () => {
  const instance = new Instance({}, userId)
  writeFileSync(join(instance.home, 'config.yaml'), 'policy: {gate: ask}\n')
  return {
    client: await instance.rpc(),
    home: instance.home,
    close: async () => {
      await instance.stop()
    },
  }
})
