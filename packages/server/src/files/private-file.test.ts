import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { agentStore } from '../agents/agents-file.ts'
import { devicesFile } from '../devices/known-devices.ts'
import { runStore } from '../pipelines/run-files.ts'
import { createPrivate, readPrivate, readPrivateJson, removeUnchanged, writePrivate } from './private-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agentpty-private-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('what is written can be read again, and by no other user', () => {
  const path = join(folder, 'below', 'file.json')
  writePrivate(path, '{"a":1}')
  expect(readPrivateJson(path, 'x')).toEqual({ a: 1 })
  expect([statSync(path).mode & 0o777, statSync(join(folder, 'below')).mode & 0o777]).toEqual([0o600, 0o700])
})

test('what is not there is null, and so is what is torn', () => {
  expect(readPrivate(join(folder, 'none'), 'x')).toBeNull()
  writeFileSync(join(folder, 'torn'), '{"a":')
  expect(readPrivateJson(join(folder, 'torn'), 'x')).toBeNull()
})

test('what cannot be written or read says why and what to do, and leaves nothing', () => {
  writePrivate(join(folder, 'target', 'inside'), '')
  expect(() => writePrivate(join(folder, 'target'), 'x')).toThrow(/target cannot be written/)
  expect(() => readPrivate(join(folder, 'target'), 'Remove it.')).toThrow(
    expect.objectContaining({ hint: 'Remove it.' }),
  )
  expect(readdirSync(folder)).toEqual(['target'])
})

test('of two that create a file one has it, and only the text that was read is removed', () => {
  const path = join(folder, 'lock')
  expect([createPrivate(path, 'ours'), createPrivate(path, 'theirs')]).toEqual([true, false])
  removeUnchanged(path, 'theirs')
  expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['ours', 0o600])
  removeUnchanged(path, 'ours')
  removeUnchanged(path, 'ours')
  expect(readdirSync(folder)).toEqual([])
})

test('malformed content is moved away whole and reported', () => {
  const reports: string[] = []
  const report = (what: string) => void reports.push(what)
  writePrivate(join(folder, 'agents.json'), '{"last":')
  writePrivate(join(folder, 'lineage.json'), '[{}]')
  writePrivate(join(folder, 'devices.json'), '{')
  writePrivate(join(folder, 'runs', 'run-1', 'run.json'), '{}')
  for (let start = 0; start < 2; start++) {
    expect(agentStore(folder, report).load().last).toBe(0)
    expect(agentStore(folder, report).loadLineage()).toEqual([])
    expect(devicesFile(join(folder, 'devices.json'), join(folder, 'run'), report).load()).toBeNull()
    expect(runStore(join(folder, 'runs'), report).load()).toEqual([])
  }
  expect(reports).toEqual([
    expect.stringMatching(/agents\.json made no sense/),
    expect.stringMatching(/lineage\.json made no sense/),
    expect.stringMatching(/devices\.json made no sense/),
    expect.stringMatching(/run-1 made no sense/),
  ])
  const [aside = ''] = readdirSync(folder).filter((name) => name.startsWith('agents.json'))
  expect(readPrivate(join(folder, aside), 'x')).toBe('{"last":')
  expect(readdirSync(join(folder, 'runs'))).toEqual([expect.stringMatching(/^run-1\.unreadable-/)])
})
