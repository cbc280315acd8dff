import type { Sandbox } from '@agentpty/protocol/sandbox'
import { expect, test } from 'vitest'
import { type StatedSandbox, settleSandbox } from './settle.ts'

const base: StatedSandbox = {
  network: ['example.com', '*.example.org'],
  writable: ['/home/dev/.npm'],
  hidden: ['/home/dev/notes'],
  limits: { processes: 100 },
}

test('nothing is asked for and nothing required: no walls', () => {
  expect(settleSandbox({ asked: undefined, required: [] })).toBeNull()
  expect(settleSandbox({ asked: false, required: [] })).toBeNull()
})

test('what is asked for holds where nothing is required', () => {
  expect(settleSandbox({ asked: true, required: [] })).toEqual({})
  expect(settleSandbox({ asked: { network: 'on' }, required: [] })).toEqual({ network: 'on' })
})

test.each<[string, Sandbox]>([
  ['no sandbox at all', false],
  ['the whole network', { network: 'on' }],
  ['another host', { network: ['example.com', 'evil.example'] }],
  ['all below a host', { network: ['*.example.com'] }],
  ['another place to write', { writable: ['/home/dev/.npm', '/home/dev/.ssh'] }],
  ['what lies above a place to write', { writable: ['/home/dev'] }],
  ['what begins like one', { writable: ['/home/dev/.npmrc'] }],
  ['more processes', { limits: { processes: 101 } }],
])('%s is denied where less is required', (_what, asked) => {
  expect(() => settleSandbox({ asked, required: [base] })).toThrow(expect.objectContaining({ code: 'denied' }))
})

test.each<[string, Sandbox | undefined, StatedSandbox]>([
  ['nothing said is what is required', undefined, base],
  ['just a sandbox is what is required', true, base],
  ['no network', { network: 'off' }, { ...base, network: 'off' }],
  [
    'fewer hosts',
    { network: ['example.com', 'api.example.org'] },
    { ...base, network: ['example.com', 'api.example.org'] },
  ],
  ['a part of a place', { writable: ['/home/dev/.npm/x'] }, { ...base, writable: ['/home/dev/.npm/x'] }],
  ['more that is hidden', { hidden: ['/srv/x'] }, { ...base, hidden: ['/home/dev/notes', '/srv/x'] }],
  ['fewer processes', { limits: { processes: 9 } }, { ...base, limits: { processes: 9 } }],
  [
    'a limit that nobody spoke of',
    { limits: { cpuSeconds: 5 } },
    { ...base, limits: { processes: 100, cpuSeconds: 5 } },
  ],
])('%s is granted', (_what, asked, settled) => {
  expect(settleSandbox({ asked, required: [base] })).toMatchObject(settled)
})

test('one port of an address of IPv6 is less than all of them', () => {
  const required = [{ network: ['[2001:db8::1]'] }]
  const asked = { network: ['[2001:db8:0::1]:443'] }
  expect(settleSandbox({ asked, required })).toMatchObject({ network: ['[2001:db8:0::1]:443'] })
})

test('of several that are required the strictest holds in each thing', () => {
  const other: StatedSandbox = {
    network: ['a.example.org', 'x.example'],
    readOnly: ['/p/.git'],
    limits: { processes: 500 },
  }
  expect(settleSandbox({ asked: undefined, required: [base, other] })).toEqual({
    network: ['a.example.org'],
    writable: ['/home/dev/.npm'],
    readOnly: ['/p/.git'],
    hidden: ['/home/dev/notes'],
    limits: { processes: 100 },
  })
  expect(settleSandbox({ asked: undefined, required: [base, {}] })).toMatchObject({
    network: ['example.com', '*.example.org'],
  })
  expect(settleSandbox({ asked: undefined, required: [base, { network: ['x.example'] }] })).toMatchObject({
    network: 'off',
  })
})
