/** A journal on the disk: whatever is done to it that its writer has not done is found, and nothing else is. */

import assert from 'node:assert/strict'
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AuditVerdict } from '@agentpty/protocol/audit'
import { FakeClock } from '@agentpty/protocol/testing'
import { afterEach, expect, test } from 'vitest'
import { AuditFiles, auditFiles, firstIn, readHead } from './audit-files.ts'
import { auditLines, endOfChain } from './audit-lines.ts'
import { AuditWriter } from './audit-writer.ts'
import { verify } from './verify.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'agentpty-audit-'))
  folders.push(folder)
  return join(folder, 'audit')
}

/** A writer that begins where the last one ended. */
function writerIn(folder: string, bounds = { fileBytesMax: 1_000, filesMax: 100 }): AuditWriter {
  return new AuditWriter({
    clock: new FakeClock(),
    store: new AuditFiles(folder, bounds),
    end: endOfChain(folder),
    head: readHead(folder),
    beforeWrite: () => {},
    failed: (error) => assert.equal(error, null),
  })
}

async function write(
  folder: string,
  count: number,
  bounds?: { fileBytesMax: number; filesMax: number },
): Promise<void> {
  const writer = writerIn(folder, bounds)
  for (let number = 0; number < count; number++) {
    writer.put({ kind: 'call', verb: 'send', who: { client: 'mcp-1' }, text: `echo ${number}`, outcome: 'done' })
    await writer.flush()
  }
  await writer.close()
}

const look = (folder: string, kept: { n: number; hash: string } | null = null): AuditVerdict =>
  verify(auditLines(folder), { head: readHead(folder), kept })

/** Numbers that are the same in each run. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    return (state >>> 1) % below
  }
}

type Random = (below: number) => number
type Damage = (folder: string, random: Random) => void

const linesIn = (file: string) => readFileSync(file, 'utf8').split('\n').slice(0, -1)
const keep = (file: string, lines: readonly string[]) => writeFileSync(file, lines.map((line) => `${line}\n`).join(''))
const anyOf = <Item>(items: readonly Item[], random: Random): Item => {
  const item = items[random(items.length)]
  assert.ok(item !== undefined)
  return item
}

const damages: Readonly<Record<string, Damage>> = {
  'a changed byte': (folder, random) => {
    const file = anyOf(auditFiles(folder), random)
    const bytes = readFileSync(file)
    const at = random(bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ (1 + random(127))
    writeFileSync(file, bytes)
  },
  'a removed line': (folder, random) => {
    const file = anyOf(auditFiles(folder), random)
    const lines = linesIn(file)
    keep(file, lines.toSpliced(random(lines.length), 1))
  },
  'two lines that have changed places': (folder, random) => {
    const file = anyOf(auditFiles(folder), random)
    const lines = linesIn(file)
    const at = random(lines.length - 1)
    keep(file, lines.toSpliced(at, 2, lines[at + 1] ?? '', lines[at] ?? ''))
  },
  'a line that is there twice': (folder, random) => {
    const file = anyOf(auditFiles(folder), random)
    const lines = linesIn(file)
    const at = random(lines.length)
    keep(file, lines.toSpliced(at, 0, lines[at] ?? ''))
  },
  'an added line': (folder, random) => {
    const file = anyOf(auditFiles(folder), random)
    const lines = linesIn(file)
    const added =
      '{"n":3,"id":"au-1","at":1,"prev":"","kind":"call","verb":"send","who":{"client":"x"},"outcome":"done"}'
    keep(file, lines.toSpliced(random(lines.length + 1), 0, added))
  },
  'a file that ends too early': (folder, random) => {
    const file = anyOf(auditFiles(folder).slice(0, -1), random)
    truncateSync(file, random(statSync(file).size))
  },
  'a journal whose end was cut off': (folder, random) => {
    const file = auditFiles(folder).at(-1) ?? ''
    keep(file, linesIn(file).slice(0, random(linesIn(file).length)))
  },
  'a file that is gone': (folder, random) => rmSync(anyOf(auditFiles(folder), random)),
  'files that have changed names': (folder) => {
    const [one = '', other = ''] = auditFiles(folder).slice(1, 3)
    renameSync(one, `${one}.x`)
    renameSync(other, one)
    renameSync(`${one}.x`, other)
  },
}

test('an untouched journal is valid, over several files and writers', async () => {
  const folder = newFolder()
  await write(folder, 15)
  await write(folder, 5)
  const verdict = look(folder)
  expect(verdict).toMatchObject({ broken: null, records: 20, first: 1, last: 20, notes: [] })
  expect(verdict.files).toBeGreaterThan(3)
})

test.each(Object.entries(damages))('%s is found, whatever it hits', async (_name, damage) => {
  for (let seed = 1; seed <= 40; seed++) {
    const folder = newFolder()
    await write(folder, 15)
    const before = auditFiles(folder).map((file) => readFileSync(file, 'utf8'))
    damage(folder, randomFrom(seed))
    assert.notDeepEqual(
      auditFiles(folder).map((file) => readFileSync(file, 'utf8')),
      before,
      `seed ${seed} did nothing`,
    )
    const { broken } = look(folder)
    assert.ok(
      broken !== null && broken.n >= 1 && broken.n <= 16,
      `seed ${seed} was not found: ${JSON.stringify(broken)}`,
    )
    // A daemon that continues the journal does not repair it.
    await write(folder, 3)
    assert.notEqual(look(folder).broken, null, `seed ${seed} was forgotten`)
  }
})

test('the first record at which it shows is named, with its file and line', async () => {
  const folder = newFolder()
  await write(folder, 10)
  const file = auditFiles(folder)[1] ?? ''
  const lines = linesIn(file)
  keep(file, lines.toSpliced(1, 1, (lines[1] ?? '').replace('echo', 'ohce')))
  // The change shows in the record that names it.
  expect(look(folder).broken).toMatchObject({ n: firstIn(file) + 2, what: expect.stringContaining('was changed') })
})

test('records that were dropped for space are reported, and distinguished from removed ones', async () => {
  const folder = newFolder()
  const bounds = { fileBytesMax: 1_000, filesMax: 3 }
  await write(folder, 40, bounds)
  const first = firstIn(auditFiles(folder)[0] ?? '')
  expect(first).toBeGreaterThan(1)
  expect(look(folder)).toMatchObject({ broken: null, first })
  expect(look(folder).notes[0]).toContain(`begins at record ${first}: older ones were dropped`)
  rmSync(auditFiles(folder)[0] ?? '')
  expect(look(folder).broken).toMatchObject({ n: 1, what: expect.stringContaining('were not dropped') })
})

test('a line that a killed process left unfinished stays, and the next writer tells of it', async () => {
  const folder = newFolder()
  await write(folder, 3)
  const file = auditFiles(folder).at(-1) ?? ''
  appendFileSync(file, '{"n":4,"id":"au-9","at":1')
  expect(look(folder)).toMatchObject({ broken: null, notes: [expect.stringContaining('not finished')] })
  await write(folder, 2)
  expect(look(folder)).toMatchObject({ broken: null, last: 6 })
  expect(look(folder).notes).toEqual([expect.stringContaining('left unfinished by a process that was killed')])
  const text = auditFiles(folder)
    .map((one) => readFileSync(one, 'utf8'))
    .join('')
  expect(text).toContain('{"n":4,"id":"au-9","at":1\n')
  // A repair covers one line and no other.
  writeFileSync(file, readFileSync(file, 'utf8').replace('"au-9","at":1\n', '"au-9","at":2\n'))
  expect(look(folder).broken).toMatchObject({ n: 4 })
})

test('the number and the hash of a known record reveal a journal that was rewritten', async () => {
  const folder = newFolder()
  await write(folder, 5)
  const { last: n, hash } = look(folder)
  assert.ok(n !== null && hash !== null)
  rmSync(folder, { recursive: true })
  const writer = writerIn(folder)
  for (const text of ['a', 'b', 'c', 'd', 'e'])
    writer.put({ kind: 'call', verb: 'send', who: { client: 'mcp-1' }, text, outcome: 'done' })
  await writer.close()
  expect(look(folder).broken).toBeNull()
  expect(look(folder, { n, hash }).broken).toMatchObject({ n: 5, what: 'it is not the record that was written' })
  expect(look(folder, { n: 99, hash }).broken).toMatchObject({ what: expect.stringContaining('missing at the end') })
})

test('without the file that holds its head the end of the journal is unknown, and that is reported', async () => {
  const folder = newFolder()
  await write(folder, 3)
  rmSync(join(folder, 'head'))
  expect(look(folder)).toMatchObject({ broken: null, notes: [expect.stringContaining('"head"')] })
})
