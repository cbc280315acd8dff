import assert from 'node:assert/strict'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'vitest'
import { DaemonLog } from './daemon-log.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agentpty-log-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a line begins with its time', () => {
  const path = join(folder, 'log')
  const descriptor = openSync(path, 'a')
  const log = new DaemonLog({ descriptor, time: () => '12:00' })
  log.write('It begins.')
  assert.equal(readFileSync(path, 'utf8'), '12:00 It begins.\n')
  assert.equal(log.problem, null)
  closeSync(descriptor)
})

test('lines for which the disk has no room are counted, and the log says so once there is room again', () => {
  const times = ['1', '2', '3', '4', '5', '6']
  // Every write to it fails as on a full disk.
  const full = openSync('/dev/full', 'w')
  const log = new DaemonLog({ descriptor: full, time: () => times.shift() ?? '' })
  log.write('lost')
  log.write('lost, too')
  assert.equal(log.problem?.lines, 2)
  assert.match(log.problem?.reason ?? '', /ENOSPC/)
  const path = join(folder, 'log')
  closeSync(full)
  const open = openSync(path, 'a')
  assert.equal(open, full, 'the log has the descriptor that is free now')
  log.write('kept')
  assert.match(readFileSync(path, 'utf8'), /^\d 2 lines since \d were not written: ENOSPC.*\n\d kept\n$/)
  assert.equal(log.problem, null)
  closeSync(open)
})
