import type { GateSetting } from '@agentpty/protocol/effects'
import { expect, test } from 'vitest'
import { makeGates } from './gates.ts'

const caller = { cwd: '/', env: { HOME: '/home/ada', PATH: '/usr/bin' } }

const tableFor = (required: GateSetting, inherited: GateSetting, asked?: GateSetting, undo: string | null = null) =>
  makeGates({
    requiredIn: () => required,
    waitMsIn: () => 1_000,
    own: [],
    approvals: { endJob: () => {} },
    undo,
  }).tableFor(asked, { cwd: '/home/ada/proj', caller, inherited })

const hasGate = (...settings: Parameters<typeof tableFor>) => tableFor(...settings) !== null

test('a gate that asks keeps files in the folder of its terminal, and a journal keeps none', () => {
  expect(tableFor('ask', 'off', undefined, '/state/undo')?.('term-3')).toMatch(
    /^asks 1000\nkeeps 1073741824 \/state\/undo\/term-3\n/,
  )
  expect(tableFor('ask', 'off')?.('term-3')).not.toContain('kept')
  expect(tableFor('journal', 'off', undefined, '/state/undo')?.('term-3')).not.toMatch(/^(keeps|kept)/m)
})

test.each<[GateSetting, GateSetting, GateSetting | undefined, boolean]>([
  ['off', 'off', undefined, false],
  ['journal', 'off', undefined, true],
  ['off', 'journal', undefined, true],
  ['off', 'off', 'journal', true],
  ['off', 'off', 'off', false],
  ['journal', 'off', 'journal', true],
])(
  'the policy says %s, the terminal of the caller %s, the caller %s: a gate is %s',
  (required, inherited, asked, has) => {
    expect(hasGate(required, inherited, asked)).toBe(has)
  },
)

test('a looser one that a person has approved for a call is used for it, and for no other call', () => {
  const gates = makeGates({
    requiredIn: () => 'ask',
    waitMsIn: () => 1_000,
    own: [],
    approvals: { endJob: () => {} },
    undo: null,
  })
  const place = { cwd: '/home/ada/proj', caller, inherited: 'off' } as const
  expect([gates.requiredAbove('off', place), gates.requiredAbove('ask', place)]).toEqual(['ask', null])
  gates.loosenFor(caller)
  expect(gates.tableFor('off', place)).toBe(null)
  expect(() => gates.tableFor('off', { ...place, caller: { ...caller } })).toThrow('looser')
})

test.each<[GateSetting, GateSetting]>([
  ['journal', 'off'],
  ['off', 'journal'],
])('a looser one than the policy (%s) or the terminal of the caller (%s) has is denied', (required, inherited) => {
  expect(() => hasGate(required, inherited, 'off')).toThrow(expect.objectContaining({ code: 'denied' }))
})
