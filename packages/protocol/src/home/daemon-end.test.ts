import { expect, test } from 'vitest'
import { type DaemonEnd, describePreviousEnd } from './daemon-end.ts'

const end: DaemonEnd = {
  pid: 7,
  startedAt: 's',
  endedAt: 'e',
  reason: 'signal SIGTERM',
  isOrderly: true,
  hostSocket: '/h',
}
const call = { pid: 7, name: 'send', at: 't' }
const left = { pid: 7, isOtherBoot: false }
const killed = 'The previous daemon (pid 7) ended without a record; '

test('without a daemon before there is nothing to report', () => {
  expect(describePreviousEnd({ left: null, end: null, call: null })).toBeNull()
})

test('a recorded reason is reported, also when its lock was left', () => {
  const text = 'The previous daemon (pid 7) ended at e: signal SIGTERM.'
  expect(describePreviousEnd({ left: null, end, call })).toEqual({ isOrderly: true, text })
  expect(describePreviousEnd({ left, end, call })).toEqual({ isOrderly: true, text })
})

test('a killed daemon is reported with its last call, and not with that of another daemon', () => {
  const older = { ...end, pid: 6 }
  expect(describePreviousEnd({ left, end: older, call })).toEqual({
    isOrderly: false,
    text: `${killed}its last call was send at t.`,
  })
  expect(describePreviousEnd({ left, end: null, call: { ...call, pid: 6 } })?.text).toBe(
    `${killed}it had served no call.`,
  )
})

test('a restart of the machine is reported with it', () => {
  const text = `${killed}its last call was send at t. The machine has restarted since.`
  expect(describePreviousEnd({ left: { pid: 7, isOtherBoot: true }, end: null, call })?.text).toBe(text)
})
