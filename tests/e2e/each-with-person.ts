/** For each test of a file an instance of its own, and a person’s client of it; nothing may be left of it. */

import type { WireClient } from '@agentpty/protocol/wire'
import { afterEach, beforeEach, expect } from 'vitest'
import { Instance } from '../harness/instance.ts'

export function eachWithPerson(given: (fresh: { readonly instance: Instance; readonly person: WireClient }) => void) {
  let instance: Instance
  beforeEach(async () => {
    instance = new Instance()
    given({ instance, person: await instance.rpc() })
  })
  afterEach(async () => {
    expect(await instance.stop()).toEqual([])
  })
}
