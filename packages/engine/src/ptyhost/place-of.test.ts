import { expect, test } from 'vitest'
import { placeOf } from './place-of.ts'

const hostPid = 10
const sessions = [1, 2].map((n) => ({ info: { id: `term-${n}`, lineageKey: `key-${n}` } }))
const from = (n: number) => ({ AGENTPTY_TERMINAL: `term-${n}`, AGENTPTY_LINEAGE: `key-${n}` })

/** Each row: pid, parent, environment. The keepers of the terminals are 11 and 12. */
function place(pid: number, ...rows: readonly [number, number, Readonly<Record<string, string>>?][]) {
  const all = new Map(
    [...rows, [11, 10, from(1)] as const, [12, 10, from(2)] as const, [10, 1] as const].map((row) => [row[0], row]),
  )
  const table = {
    parentOf: (one: number) => all.get(one)?.[1] ?? null,
    environmentOf: (one: number) => all.get(one)?.[2] ?? null,
  }
  const found = placeOf(pid, { hostPid, sessions }, table)
  return found === 'gone' ? found : found.terminalId
}

test('a process is in the terminal whose keeper is above it', () => {
  expect(place(22, [22, 21, from(1)], [21, 11, from(1)])).toBe('term-1')
})

test('one that names another terminal is where it is', () => {
  expect(place(22, [22, 21, from(2)], [21, 11, from(1)])).toBe('term-1')
})

test('one that names none is found all the same', () => {
  expect(place(22, [22, 21, {}], [21, 11, {}])).toBe('term-1')
})

test('one that has left the tree is where its environment comes from', () => {
  expect(place(30, [30, 1, from(2)])).toBe('term-2')
})

test('the number of a terminal without its letters is a claim that any process can make', () => {
  expect(place(30, [30, 1, { AGENTPTY_TERMINAL: 'term-2' }])).toBeNull()
  expect(place(30, [30, 1, { AGENTPTY_TERMINAL: 'term-2', AGENTPTY_LINEAGE: 'key-1' }])).toBeNull()
})

test('an environment of a terminal that is closed says nothing', () => {
  expect(place(30, [30, 1, { AGENTPTY_TERMINAL: 'term-9', AGENTPTY_LINEAGE: 'key-9' }])).toBeNull()
})

test('what a killed keeper has left belongs to its terminal', () => {
  expect(place(31, [31, 30, from(1)], [30, 10, from(1)])).toBe('term-1')
})

test('the terminal of an ended process cannot be determined', () => {
  expect(place(40)).toBe('gone')
})
