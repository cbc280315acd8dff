/** Recordings on the disk, as callers get them: which, in what parts, and nothing else of the disk. */

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { castBytesMax, castHeader, castLine } from '@agentpty/protocol/recording'
import { keptPartBytesMin } from '@agentpty/protocol/testing'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { openFakeEngine, pass } from '../../fake-engine.ts'
import { scopeGuard } from '../../scopes/scope-guard.ts'
import { keptRecordings } from '../kept-recordings.ts'
import { recordedTo } from '../recording-files.ts'

let base: string
let folder: string
let files = 0

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'agentpty-kept-'))
  folder = join(base, 'recordings')
  mkdirSync(folder)
  files = 0
})

afterEach(() => rmSync(base, { recursive: true, force: true }))

interface Kept {
  readonly startedAt?: number
  readonly title?: string | null
  readonly command?: string
  readonly lines?: readonly string[]
  readonly exit?: string
}

/** Each is written later than the one before. */
function keep(
  path: string,
  { startedAt = 1_000_000, title = null, command = 'sh', lines = [], exit }: Kept = {},
): string {
  const end = exit === undefined ? '' : castLine(500, 'x', exit)
  const header = castHeader({ size: { cols: 80, rows: 24 }, startedAt, command, title })
  const last = recordedTo({ offset: 1, at: startedAt + 1_500 }, exit !== undefined)
  const text = header + lines.join('') + end + last
  writeFileSync(path, text)
  files += 1
  utimesSync(path, files, files)
  return text
}

const cast = (id: string) => join(folder, `${id}.cast`)

function open() {
  const engine = openFakeEngine({}, ({ host }) => [scopeGuard(host)], { recordings: keptRecordings(folder) })
  onTestFinished(pass(engine.clock))
  return engine
}

test('all recordings on the disk are listed, the newest first, with how they ended', async () => {
  keep(cast('term-1'), { startedAt: 1_000_000, title: 'build', command: 'make', exit: '2' })
  keep(cast('term-2'), { startedAt: 3_000_000 })
  keep(cast('term-3'), { startedAt: 2_000_000, command: 'x'.repeat(5_000), exit: '0' })
  writeFileSync(join(folder, 'notes.txt'), 'mine')
  writeFileSync(cast('torn'), '{"version":3')
  const { recordings, older } = await open().client.call('recordings', {})
  expect(older).toBeUndefined()
  expect(recordings.map(({ recordingId }) => recordingId)).toEqual(['term-2', 'term-3', 'term-1'])
  expect(recordings[0]).not.toHaveProperty('exit')
  expect(recordings[1]?.command).toHaveLength(200)
  expect(recordings[2]).toMatchObject({
    terminalId: 'term-1',
    name: 'build',
    command: 'make',
    exit: 2,
    seconds: 1.5,
    isLive: false,
  })
})

test('when there are more than fit into the list, the newest are listed with the number of the others', async () => {
  for (let number = 1; number <= 503; number++) keep(cast(`term-${number}`), { startedAt: number * 1_000 })
  const { recordings, older } = await open().client.call('recordings', {})
  expect([recordings.length, recordings[0]?.recordingId, older]).toEqual([500, 'term-503', 3])
})

test('a long one comes in parts of whole lines, which are the file when put together', async () => {
  const lines = Array.from({ length: 300 }, (_, index) =>
    castLine(10, 'o', `line ${index} äöü😀 ${'x'.repeat(100)}\r\n`),
  )
  const text = keep(cast('term-1'), { lines, exit: '0' })
  const { client } = open()
  const parts: string[] = []
  for (let from = 0; ; ) {
    const part = await client.call('keptRecording', { recordingId: 'term-1', from, maxBytes: keptPartBytesMin })
    expect(part.text.endsWith('\n')).toBe(true)
    expect(Buffer.byteLength(part.text)).toBe(part.next - from)
    parts.push(part.text)
    from = part.next
    if (from >= part.end) break
  }
  expect(parts.length).toBeGreaterThan(5)
  expect(parts.join('')).toBe(text)
})

test('a line that is longer than a part is cut between characters, and what is behind the end is nothing', async () => {
  const text = keep(cast('term-1'), { lines: [castLine(10, 'o', '😀'.repeat(5_000))] })
  const { client } = open()
  let whole = ''
  for (let from = 0; from < Buffer.byteLength(text); ) {
    const part = await client.call('keptRecording', { recordingId: 'term-1', from, maxBytes: keptPartBytesMin })
    expect(part.next).toBeGreaterThan(from)
    whole += part.text
    from = part.next
  }
  expect(whole).toBe(text)
  const end = Buffer.byteLength(text)
  expect(await client.call('keptRecording', { recordingId: 'term-1', from: end + 10 })).toEqual({
    text: '',
    next: end,
    end,
  })
})

test('a recording that is still being written is not listed yet', async () => {
  const text = keep(cast('term-1'), { lines: [castLine(10, 'o', 'one')] })
  writeFileSync(cast('term-1'), `${text}[0.5, "o", "ha`)
  const part = await open().client.call('keptRecording', { recordingId: 'term-1' })
  expect(part).toEqual({ text, next: Buffer.byteLength(text), end: Buffer.byteLength(text) })
})

test.each([
  '../secret',
  '..',
  '.',
  '../recordings/term-1',
  './term-1',
  'sub/inside',
  '/etc/passwd',
  'term-1.cast',
  'term-1\0',
  'linked',
  'folder',
  'TERM-1x',
  '%2e%2e%2fsecret',
])('no id is a path: %j is no recording', async (recordingId) => {
  keep(cast('term-1'))
  keep(join(base, 'secret.cast'))
  mkdirSync(join(folder, 'sub'))
  keep(join(folder, 'sub', 'inside.cast'))
  symlinkSync(join(base, 'secret.cast'), cast('linked'))
  mkdirSync(cast('folder'))
  const { client } = open()
  await expect(client.call('keptRecording', { recordingId })).rejects.toMatchObject({
    code: 'invalid_input',
    hint: expect.stringContaining('agentpty recordings'),
  })
  expect((await client.call('recordings', {})).recordings.map((one) => one.recordingId)).toEqual(['term-1'])
})

test('one that is too large to be played is refused with what to do', async () => {
  const text = keep(cast('term-1'))
  writeFileSync(cast('term-1'), text)
  truncateSync(cast('term-1'), castBytesMax + 1)
  writeFileSync(cast('term-1'), `\n${recordedTo({ offset: 1, at: 1 }, true)}`, { flag: 'a' })
  await expect(open().client.call('keptRecording', { recordingId: 'term-1' })).rejects.toMatchObject({
    code: 'limit_reached',
    hint: expect.stringContaining('into parts'),
  })
})

test('a caller with a scope sees recordings of its own terminals alone, and none of terminals that are gone', async () => {
  const engine = open()
  const scope = { id: 'a', name: 'a', holds: () => true }
  const a = engine.clientOf({ client: 'a', scope })
  const looker = engine.clientOf({ client: 'looker', scope: { ...scope, id: 'l', view: { terminalId: 'term-1' } } })
  const quick = { command: 'cat', waitFor: 'output', waitTimeoutMs: 0 } as const
  await engine.client.call('create', quick)
  await a.call('create', quick)
  const { terminals } = await engine.client.call('list', {})
  const startedAt = Math.floor(engine.clock.wall() / 1_000) * 1_000
  expect(terminals).toHaveLength(2)
  keep(cast('term-1'), { startedAt })
  keep(cast('term-2'), { startedAt })
  keep(cast('term-7'), { startedAt })
  const idsOf = async (client: typeof a) =>
    (await client.call('recordings', {})).recordings.map((one) => one.recordingId)
  expect((await idsOf(engine.client)).toSorted()).toEqual(['term-1', 'term-2', 'term-7'])
  expect(await idsOf(a)).toEqual(['term-2'])
  expect(await idsOf(looker)).toEqual(['term-1'])
  expect((await a.call('keptRecording', { recordingId: 'term-2' })).next).toBeGreaterThan(0)
  for (const recordingId of ['term-1', 'term-7'])
    await expect(a.call('keptRecording', { recordingId })).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(looker.call('keptRecording', { recordingId: 'term-2' })).rejects.toMatchObject({ code: 'invalid_input' })
  // A file of another terminal that had the same number.
  keep(cast('term-2'), { startedAt: startedAt - 86_400_000 })
  expect(await idsOf(a)).toEqual([])
})

test('where nothing is recorded the list is empty', async () => {
  rmSync(folder, { recursive: true })
  expect(await open().client.call('recordings', {})).toEqual({ recordings: [] })
})
