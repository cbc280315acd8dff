/** Transcripts in which anything may stand, and that change in any way while they are read. */

import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LinesShape, transcriptLineBytesMax, transcriptLookBytesMax } from '@agentpty/protocol/agents'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fencesOf } from '../fences.ts'
import { LinesTranscript } from './lines-transcript.ts'

const shape: LinesShape = {
  kind: 'lines',
  folder: { variable: 'X', below: '', otherwise: '.x' },
  file: '{id}.jsonl',
  helpers: null,
  marks: ['said'],
  lists: [],
  at: 'at',
  rules: [{ where: { type: 'said' }, text: 'text', used: { counts: 'each', input: ['in'], output: ['out'] } }],
}
const always = { since: 0, until: Number.POSITIVE_INFINITY }
const fences = fencesOf('abcdefgh')
const answered = (answer: string) => ({
  type: 'said',
  text: `${fences.open}\n${answer}\n${fences.close}`,
  in: 1,
  out: 1,
})
const line = (record: object) => `${JSON.stringify(record)}\n`

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agentpty-lines-'))
  path = join(folder, 'one.jsonl')
})
afterEach(() => rmSync(folder, { recursive: true }))

const open = () => new LinesTranscript(path, shape, always)
const input = async (transcript: LinesTranscript) => {
  await transcript.look()
  return transcript.usage?.input ?? null
}

test('each look takes in what has come, and a line once it has its end', async () => {
  const transcript = open()
  expect([await transcript.look(), transcript.usage]).toEqual([false, null])
  const one = line({ type: 'said', in: 5, out: 0 })
  const two = line(answered('42'))
  writeFileSync(path, one + two.slice(0, 20))
  expect(await input(transcript)).toBe(5)
  expect(await transcript.answer(fences)).toBeNull()
  appendFileSync(path, two.slice(20))
  expect(await input(transcript)).toBe(6)
  expect(await transcript.answer(fences)).toBe('42')
  expect(await input(transcript)).toBe(6)
})

test('lines that make no sense, and those of other kinds, say nothing and hide nothing', async () => {
  const transcript = open()
  const odd = [
    'said',
    '{"said":',
    '[1,"said"]',
    'null said',
    '{"type":"said","in":-1}',
    '{"type":"said","in":"9"}',
    '{"type":"other said","in":9}',
  ]
  writeFileSync(path, `${odd.join('\n')}\n\0\0\n${line(answered('42'))}${odd.join('\n')}\n`)
  expect(await input(transcript)).toBe(1)
  expect(await transcript.answer(fences)).toBe('42')
})

test('whatever stands before it, in whatever pieces it comes, a line is read once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 8 }),
      fc.array(fc.nat(400), { maxLength: 5 }),
      async (noise, cuts) => {
        rmSync(path, { force: true })
        const transcript = open()
        // A byte that ends a line, or begins a record, would make another one of it.
        const junk = noise.map((bytes) =>
          Buffer.concat([Buffer.from(bytes.filter((byte) => byte !== 123)), Buffer.from('\n')]),
        )
        const whole = Buffer.concat([...junk, Buffer.from(line(answered('42'))), ...junk])
        let from = 0
        for (const cut of [...cuts.toSorted((a, b) => a - b), whole.length]) {
          appendFileSync(path, whole.subarray(from, cut))
          from = Math.max(from, Math.min(cut, whole.length))
          await transcript.look()
        }
        expect(transcript.usage?.input).toBe(1)
        expect(await transcript.answer(fences)).toBe('42')
      },
    ),
    { numRuns: 40 },
  )
})

test('a file that was replaced, cut or written anew is read from its beginning', async () => {
  const transcript = open()
  writeFileSync(path, line({ type: 'said', in: 5 }).repeat(3))
  expect(await input(transcript)).toBe(15)
  writeFileSync(join(folder, 'other'), line({ type: 'said', in: 7 }))
  renameSync(join(folder, 'other'), path)
  expect(await input(transcript)).toBe(7)
  truncateSync(path)
  expect(await input(transcript)).toBeNull()
  writeFileSync(path, line({ type: 'said', in: 8 }))
  expect(await input(transcript)).toBe(8)
  // The same file, and longer than before.
  writeFileSync(path, line({ type: 'said', in: 9 }).repeat(2))
  expect(await input(transcript)).toBe(18)
})

test('a line that is too long is passed over, and those around it count', async () => {
  const transcript = open()
  const long = `{"type":"said","in":9,"text":"${'x'.repeat(transcriptLineBytesMax)}"}\n`
  writeFileSync(path, line({ type: 'said', in: 1 }) + long + line({ type: 'said', in: 2 }))
  expect(await input(transcript)).toBe(3)
})

test('an answer of more than 1 MiB is there to the letter', async () => {
  const transcript = open()
  const long = 'é \t'.repeat(500_000)
  writeFileSync(path, line(answered(long)))
  await transcript.look()
  expect((await transcript.answer(fences)) === long).toBe(true)
})

test('of a file that is longer than one look reads, the next goes on', async () => {
  const transcript = open()
  const filling = `${'x'.repeat(1_048_575)}\n`
  writeFileSync(path, line({ type: 'said', in: 1 }))
  for (let bytes = 0; bytes < transcriptLookBytesMax; bytes += filling.length) appendFileSync(path, filling)
  appendFileSync(path, line({ type: 'said', in: 2 }))
  expect(await input(transcript)).toBe(1)
  expect(await input(transcript)).toBe(3)
})

test('a link, a pipe without a writer and a folder count as missing files', async () => {
  const other = join(folder, 'other')
  writeFileSync(other, line({ type: 'said', in: 1 }))
  symlinkSync(other, path)
  expect(await open().look()).toBe(false)
  rmSync(path)
  execFileSync('mkfifo', [path])
  expect(await open().look()).toBe(false)
  path = folder
  expect(await open().look()).toBe(false)
})
