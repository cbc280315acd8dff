import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseStatusReport, type StatusRecord, StatusRecords } from './program-status.ts'

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const read = (raw: string): StatusRecord | null => {
  const report = parseStatusReport(raw)
  return report === null || report.clear ? null : report.record
}

describe('a report says', () => {
  test.each<[string, string, Partial<StatusRecord>]>([
    ['a state alone', 'state=working', { state: 'working', kind: null, app: null }],
    ['who it is', 'state=idle:app=claude-code', { state: 'idle', app: 'claude-code' }],
    ['what it is blocked on', 'state=blocked:kind=permission', { kind: 'permission' }],
    ['no kind it does not know', 'state=blocked:kind=coffee', { kind: null }],
    ['no kind unless blocked', 'state=working:kind=permission', { kind: null }],
    ['a message', `state=blocked:msg=${base64('approve Bash: ls')}`, { message: 'approve Bash: ls' }],
    ['a message without padding', `state=idle:msg=${base64('a').replaceAll('=', '')}`, { message: 'a' }],
    ['progress', 'state=working:progress=42', { progress: 42 }],
    ['no progress over a hundred', 'state=working:progress=101', { progress: null }],
    ['no progress when idle', 'state=idle:progress=5', { progress: null }],
    ['the last value of a repeated key', 'state=idle:state=done', { state: 'done' }],
    ['values without the blanks around them', ' state = done : app = x ', { state: 'done', app: 'x' }],
    ['nothing of what it does not know', 'state=done:colour=red:1=2:novalue', { state: 'done' }],
    ['no name outside the alphabet', 'state=done:app=a b', { app: null }],
    ['no bidirectional tricks', `state=done:title=${base64('a\u202eb')}`, { title: 'ab' }],
    ['joiners of an emoji', `state=done:title=${base64('👨\u200d👩')}`, { title: '👨\u200d👩' }],
  ])('%s', (_name, raw, record) => expect(read(raw)).toMatchObject(record))
})

describe('is no report at all', () => {
  test.each([
    ['without a state', 'app=x'],
    ['with an unknown state', 'state=sleepy'],
    ['with an unusable id', 'state=idle:id=a b'],
    ['with an empty segment in its id', 'state=idle:id=a//b'],
    ['with an id too deep', `state=idle:id=${Array.from({ length: 9 }, () => 'a').join('/')}`],
    ['with a key too long', `state=idle:${'k'.repeat(17)}=1`],
    ['with a name too long', `state=idle:app=${'a'.repeat(33)}`],
    ['with bad base64', 'state=idle:msg=!!!'],
    ['with a control character in a text', `state=idle:msg=${base64('a\x1bb')}`],
    ['with broken UTF-8', `state=idle:msg=${Buffer.from([0xff, 0xfe]).toString('base64')}`],
    ['that clears, with a bad text', 'state=clear:msg=!!!'],
    ['too long', `state=idle:x=${'y'.repeat(4_100)}`],
  ])('%s', (_name, raw) => assert.equal(parseStatusReport(raw), null))
})

test('whatever a program writes, reading it never throws', () => {
  fc.assert(fc.property(fc.string({ maxLength: 300 }), (raw) => void parseStatusReport(raw)))
})

describe('records', () => {
  const records = (...raws: readonly string[]): StatusRecords => {
    const all = new StatusRecords()
    for (const raw of raws) {
      const report = parseStatusReport(raw)
      if (report !== null) all.apply(report)
    }
    return all
  }

  test('a report replaces its record whole', () => {
    expect(records('state=working:progress=5:app=x', 'state=done').root).toMatchObject({
      state: 'done',
      progress: null,
    })
  })

  test('clear takes a record and what is below it, and without an id all', () => {
    const raws = ['state=idle', 'state=working:id=agents/a', 'state=working:id=agents/a/b', 'state=done:id=agents/ab']
    assert.deepEqual([...records(...raws, 'state=clear:id=agents/a').all.keys()], ['', 'agents/ab'])
    assert.equal(records(...raws, 'state=clear').all.size, 0)
  })

  test('the most urgent one is shown, the newest of equals', () => {
    const raws = ['state=working', 'state=blocked:id=a', 'state=error:id=b', 'state=blocked:id=c:kind=auth']
    expect(records(...raws).mostUrgent).toMatchObject({ state: 'blocked', kind: 'auth' })
  })

  test('a name is inherited from the nearest record above', () => {
    const all = records('state=idle:app=top', 'state=idle:id=a:app=mid', 'state=idle:id=a/b/c').all
    assert.equal(all.get('a/b/c')?.app, 'mid')
  })

  test('a shell’s prompt ends what was not finished', () => {
    const all = records('state=working', 'state=done:id=a', 'state=blocked:id=b', 'state=error:id=c')
    all.endUnfinished()
    assert.deepEqual([...all.all.keys()], ['a', 'c'])
  })

  test('the one updated longest ago goes when there are too many', () => {
    const all = records(...Array.from({ length: 257 }, (_, index) => `state=idle:id=r${index}`))
    assert.equal(all.all.size, 256)
    assert.equal(all.all.has('r0'), false)
  })
})
