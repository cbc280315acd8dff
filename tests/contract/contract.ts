/** What every way in promises, whichever it is: one suite, run over each of them against real shells and programs. */

import { afterAll, afterEach, beforeAll, describe } from 'vitest'
import type { Client } from '../../packages/agentpty/src/contracts/client.ts'
import { closing } from './closing.ts'
import { creating } from './creating.ts'
import { keys } from './keys.ts'
import { looking } from './looking.ts'
import { questions } from './questions.ts'
import { reading } from './reading.ts'
import { running } from './running.ts'
import { sending } from './sending.ts'
import type { Suite } from './suite.ts'
import { waiting } from './waiting.ts'

export interface Door {
  readonly client: Pick<Client, 'call'>
  /** AGENTPTY_HOME as programs should see it; null when there is no daemon to find. */
  readonly home: string | null
  close(): Promise<void>
}

const groups = { creating, sending, questions, keys, waiting, reading, looking, running, closing }

export function describeContract(name: string, open: () => Promise<Door>): void {
  describe(`through ${name}`, () => {
    let door: Door
    beforeAll(async () => {
      door = await open()
    })
    afterEach(async () => {
      await door.client.call('close', { all: true })
    })
    afterAll(() => door.close())

    const suite: Suite = {
      call: (verb, input, context) => door.client.call(verb, input, context),
      home: () => door.home,
      shell: (options = {}) => door.client.call('create', { shell: 'bash', ...options }),
    }
    for (const [group, tests] of Object.entries(groups)) describe(group, () => tests(suite))
  })
}
