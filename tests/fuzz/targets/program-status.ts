/** OSC 7501: a program's own status is within the protocol's limits, or ignored. */

import assert from 'node:assert/strict'
import {
  parseStatusReport,
  type StatusRecord,
  StatusRecords,
  type StatusReport,
  statuses,
} from '@agentpty/engine/testing'
import type { Target } from '../target.ts'

const segment = /^[A-Za-z0-9_.+-]{1,32}$/

export const programStatus: Target = {
  name: 'program-status',
  covers: ['engine/src/agents/program-status.ts'],
  words: [
    'state=',
    'idle',
    'working',
    'blocked',
    'done',
    'error',
    'clear',
    ':',
    '=',
    '/',
    '\n',
    ' ',
    'id=',
    'a',
    'a/b',
    'app=',
    'kind=',
    'permission',
    'question',
    'auth',
    'progress=',
    '50',
    '100',
    '101',
    'title=',
    'msg=',
    'aGVsbG8=',
    '4oCu',
    '/w==',
    'state=working:progress=3',
    'state=blocked:kind=auth:id=a/b:app=x:title=aGk=:msg=aGk=',
    'state=clear:id=a',
    'zz=1',
  ],
  bytesMax: 6_000,
  /** Each line is one report. */
  check(input) {
    const records = new StatusRecords()
    for (const raw of Buffer.from(input).toString('utf8').split('\n')) {
      const report = parseStatusReport(raw)
      if (report === null) continue
      assert.ok(Buffer.byteLength(raw) <= 4_096, 'a report is bounded')
      checkReport(report)
      assert.deepEqual(
        parseStatusReport(` ${raw} `),
        Buffer.byteLength(raw) > 4_094 ? null : report,
        'blanks are ignored',
      )
      applied(records, report)
    }
  },
}

function checkReport(report: StatusReport): void {
  const { id } = report
  assert.ok(id === '' || (id.length <= 128 && id.split('/').every((one) => segment.test(one))), `id ${id}`)
  assert.ok(id.split('/').length <= 8, `id ${id} has eight segments at most`)
  if (report.clear) return
  checkRecord(report.record)
  assert.deepEqual(parseStatusReport(written(id, report.record)), report, 'written again it says the same')
}

function checkRecord({ state, kind, progress, app, title, message }: StatusRecord): void {
  assert.ok(statuses.includes(state))
  assert.ok(kind === null || state === 'blocked', 'only who is blocked says on what')
  assert.ok(
    progress === null || (Number.isInteger(progress) && progress >= 0 && progress <= 100),
    `progress ${progress}`,
  )
  assert.ok(progress === null || state === 'working' || state === 'blocked')
  assert.ok(app === null || segment.test(app), `app ${app}`)
  checkText(title, 192)
  checkText(message, 2_048)
}

/** The text moves no cursor and hides nothing. */
function checkText(text: string | null, bytesMax: number): void {
  if (text === null) return
  assert.ok(Buffer.byteLength(text) <= bytesMax, `${Buffer.byteLength(text)} bytes of text`)
  assert.doesNotMatch(text, /[\x00-\x1f\x7f-\x9f\ufffd\u200b\u202e\u2066\ufeff]/)
}

function written(id: string, { state, kind, progress, app, title, message }: StatusRecord): string {
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const pairs = [
    ['state', state],
    ['id', id === '' ? null : id],
    ['kind', kind],
    ['progress', progress],
    ['app', app],
    ['title', title === null ? null : base64(title)],
    ['msg', message === null ? null : base64(message)],
  ]
  return pairs.flatMap(([key, value]) => (value === null ? [] : [`${key}=${value}`])).join(':')
}

function applied(records: StatusRecords, report: StatusReport): void {
  records.apply(report)
  const { all, mostUrgent, root } = records
  const { id } = report
  assert.ok(all.size <= 256, 'records are bounded')
  assert.equal(root, all.get('') ?? null)
  assert.equal(mostUrgent === null, all.size === 0, 'of some one is the most urgent')
  if (!report.clear) {
    assert.equal(all.get(id)?.state, report.record.state)
    return
  }
  const below = [...all.keys()].filter((known) => id === '' || known === id || known.startsWith(`${id}/`))
  assert.deepEqual(below, [], 'what is cleared is gone with all below it')
}
