/** Terminals drawn again from text in the middle of output: all cases of the table, and the output of real programs. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { playedTwice } from '@agentpty/engine/testing'
import { expect, test } from 'vitest'
import { Random } from '../harness/random.ts'
import { caseSize } from './case.ts'
import { sections } from './sections.ts'

const recordings = join(import.meta.dirname, '../agents/recordings')
const golden = join(import.meta.dirname, '../golden')

interface Recorded {
  readonly name: string
  readonly cols: number
  readonly rows: number
  readonly bytes: Uint8Array
}

function ofAgents(): readonly Recorded[] {
  const names = readdirSync(recordings).filter((file) => file.endsWith('.json'))
  return names.map((file) => {
    const name = file.replace('.json', '')
    const { cols, rows } = JSON.parse(readFileSync(join(recordings, file), 'utf8'))
    return { name, cols, rows, bytes: gunzipSync(readFileSync(join(recordings, `${name}.raw.gz`))) }
  })
}

function ofPrograms(): readonly Recorded[] {
  // Pictures of screens are in their own folder.
  const folders = readdirSync(golden, { withFileTypes: true }).filter(
    (one) => one.isDirectory() && one.name !== 'pictures',
  )
  return folders.map(({ name }) => {
    const { cols, rows } = JSON.parse(readFileSync(join(golden, name, 'about.json'), 'utf8'))
    return { name, cols, rows, bytes: readFileSync(join(golden, name, 'output.raw')) }
  })
}

test('each case of the table, redrawn at any of its bytes', () => {
  for (const { title, sequences } of sections)
    for (const { form, cases } of sequences)
      for (const { name, bytes } of cases) {
        const all = Buffer.from(bytes)
        for (let cut = 0; cut <= all.length; cut += Math.max(1, Math.floor(all.length / 200))) {
          const { first, last } = playedTwice({ ...caseSize, bytes: all, cut })
          expect(first[1], `${title}: ${form} ${name}, at ${cut}`).toEqual(first[0])
          expect(last[1], `${title}: ${form} ${name}, from ${cut} on`).toEqual(last[0])
        }
      }
})

test.each([...ofAgents(), ...ofPrograms()])(
  'the output of $name, redrawn at random positions',
  ({ cols, rows, bytes }) => {
    const random = new Random(bytes.length)
    for (let times = 0; times < 6; times += 1) {
      const cut = random.below(bytes.length + 1)
      const { first, last } = playedTwice({ cols, rows, bytes, cut })
      expect(first[1], `at ${cut}`).toEqual(first[0])
      expect(last[1], `from ${cut} on`).toEqual(last[0])
    }
  },
)
