import { expect, test } from 'vitest'
import { type GateMessage, parseGateMessage } from './gate.ts'

const parse = (...fields: readonly string[]) => parseGateMessage(Buffer.from(fields.map((one) => `${one}\0`).join('')))

test.each<[readonly string[], GateMessage]>([
  [['state', 'journal', ''], { kind: 'state', state: 'journal', reason: '' }],
  [['state', 'none', 'no such call'], { kind: 'state', state: 'none', reason: 'no such call' }],
  [['blind', '3', 'uring'], { kind: 'blind', count: 3, reason: 'uring' }],
  [
    ['asks', '1', '82', 'delete', 'rm', '10', '9', 'rm -rf a', '/a', '/a/ü', 'open', '500'],
    {
      kind: 'asks',
      id: 1,
      count: 82,
      verb: 'delete',
      program: 'rm',
      pid: 10,
      group: 9,
      command: 'rm -rf a',
      area: '/a',
      path: '/a/ü',
      answer: 'open',
      leftMs: 500,
    },
  ],
])('the message %j is read', (fields, message) => {
  expect(parse(...fields)).toEqual(message)
})

test.each<readonly string[]>([
  [],
  ['state'],
  ['state', 'later'],
  ['asks'],
  ['asks', 'x', '1', 'delete', 'rm', '1', '1', '', '', ''],
  ['asks', '1', '1', 'delete', 'rm', '1', '1', '', '', '', 'perhaps', '0'],
  ['asks', '1', '1', 'paint', 'rm', '1', '1', '', '', ''],
  ['blind', 'x', 'uring'],
  ['blind', '1', 'later'],
  ['news'],
])('of a message of another version nothing is read: %j', (...fields) => {
  expect(parse(...fields)).toBe(null)
})
