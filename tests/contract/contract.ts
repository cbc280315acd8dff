/** The contract of every client interface: one suite, run over each of them with real shells and programs. */

import type { Client } from '@agentpty/protocol'
import { afterAll, afterEach, beforeAll, describe } from 'vitest'
import { closing } from './closing.ts'
import { creating } from './creating.ts'
import { keys } from './keys.ts'
import { type Inside, leading } from './leading.ts'
import { questions } from './questions.ts'
import { reading } from './reading.ts'
import { running } from './running.ts'
import { seeing } from './seeing.ts'
import { sending } from './sending.ts'
import type { Suite } from './suite.ts'
import { waiting } from './waiting.ts'

export interface OpenFace {
  readonly client: Pick<Client, 'call'>
  /** AGENTPTY_HOME for programs; null when there is no daemon to find. */
  readonly home: string | null
  close(): Promise<void>
  /** For an interface that programs in terminals can use, too. */
  readonly inside?: Inside
}

/** `leads`: whether programs in terminals use it by all verbs, or by tools only. Over HTTP the origin of a program is unknown. */
export interface Faces {
  readonly leads?: 'all' | 'tools'
}

const groups = { creating, sending, questions, keys, waiting, reading, seeing, running, closing }

export function describeContract(name: string, open: () => Promise<OpenFace>, { leads }: Faces = {}): void {
  describe(`through ${name}`, () => {
    let face: OpenFace
    beforeAll(async () => {
      face = await open()
    })
    afterEach(async () => {
      await face.client.call('close', { all: true })
    })
    afterAll(() => face.close())

    const suite: Suite = {
      call: (verb, input, context) => face.client.call(verb, input, context),
      home: () => face.home,
      shell: (options = {}) => face.client.call('create', { shell: 'bash', ...options }),
    }
    for (const [group, tests] of Object.entries(groups)) describe(group, () => tests(suite))
    const inside: Inside = (terminal) => face.inside?.(terminal) ?? Promise.reject(new Error('it has no inside'))
    if (leads !== undefined) describe('leading', () => leading(suite, inside, leads))
  })
}
