/** For each test of a file, its own instance and a person’s client of it; no process may be left of it. */

import type { WireClient } from '@agentpty/protocol/wire'
import { beforeEach } from 'vitest'
import type { Instance } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'

export function eachWithPerson(given: (fresh: { readonly instance: Instance; readonly person: WireClient }) => void) {
  let instance: Instance
  beforeEach(async () => {
    instance = scratchInstance()
    given({ instance, person: await instance.rpc() })
  })
}
