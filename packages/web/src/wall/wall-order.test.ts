import { treeOf } from '@agentpty/protocol/overview'
import { nodeWith, rowWith } from '@agentpty/protocol/testing'
import { expect, test } from 'vitest'
import { wallGroups, wallRows } from './wall-order.ts'

const now = 100_000
const rows = [
  rowWith('idle'),
  rowWith('short', { state: 'busy', since: now - 1_000 }),
  rowWith('working', { state: 'busy', since: now - 30_000 }),
  rowWith('asks'),
  rowWith('child', { parentId: 'idle' }),
  rowWith('ended', { state: 'exited', exitCode: 0 }),
]
const tree = treeOf(rows)
const options = { asking: new Set(['asks']), tone: null, withEnded: false, now }
const ids = (list: readonly { readonly terminalId: string }[]) => list.map(({ terminalId }) => terminalId)

test('terminals that ask come first, then those that have worked for a while, then the others as in the tree', () => {
  expect(ids(wallRows(tree, options))).toEqual(['asks', 'working', 'idle', 'child', 'short'])
})

test('ended terminals come last if they are included', () => {
  expect(ids(wallRows(tree, { ...options, withEnded: true })).at(-1)).toBe('ended')
})

test.each([
  ['asks', ['asks']],
  ['working', ['working', 'short']],
  ['ended', ['ended']],
  ['failed', []],
] as const)('the state %s is shown alone', (tone, want) => {
  expect(ids(wallRows(tree, { ...options, tone }))).toEqual(want)
})

test('terminals are grouped by the top of their tree, and those without one come last', () => {
  const grouped = treeOf([...rows, rowWith('member', { parentId: null })], [nodeWith('team')])
  const groups = wallGroups(grouped, wallRows(grouped, options), ({ id }) => id)
  expect(groups.map(({ label, rows: list }) => [label, ids(list)])).toEqual([
    ['idle', ['idle', 'child']],
    ['Others', ['asks', 'working', 'short', 'member']],
  ])
})
