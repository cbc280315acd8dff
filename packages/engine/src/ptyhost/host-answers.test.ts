import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { test } from 'vitest'
import { hostRefusal } from './host-answers.ts'

const { errno } = constants

test.each<[string, number, string]>([
  ['what a program cannot be given', errno.E2BIG, 'invalid_input'],
  ['a request that is cut short', errno.EBADMSG, 'internal'],
  ['a host that is about to end', errno.ECANCELED, 'host_gone'],
  ['an input queue that is full', errno.ENOBUFS, 'input_full'],
  ['no memory', errno.ENOMEM, 'limit_reached'],
  ['a session that has just gone', errno.ESRCH, 'session_exited'],
  ['an errno of the kernel that has no row', errno.ENOTTY, 'session_exited'],
])('%s is known by its errno, whatever the message says', (_what, number, code) => {
  assert.equal(hostRefusal(number, 'some words').code, code)
})

test('every errno that ptyhost refuses requests with has a row of its own', () => {
  const folder = new URL('../../../../native/ptyhost/src/', import.meta.url)
  const refusal = /\b(?:owner_error|reader_fail|refuse_frame)\(/
  const text = readdirSync(folder)
    .filter((name) => name.endsWith('.c'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .filter((source) => refusal.test(source))
    .join('\n')
  const refusing = /\b(?:owner_error|reader_fail|refuse_frame)\([^;]*;|\berrno = [^;]*;/g
  const names = (text.match(refusing) ?? []).flatMap((call) => call.match(/\bE[A-Z0-9]{2,}\b/g) ?? [])
  const table = readFileSync(new URL('./host-answers.ts', import.meta.url), 'utf8')
  assert.ok(names.length > 10, 'the sources name them in calls that this test knows')
  assert.deepEqual(
    [...new Set(names)].filter((name) => !table.includes(`  ${name}:`)),
    [],
  )
})
