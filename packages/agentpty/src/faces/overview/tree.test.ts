import { expect, test } from 'vitest'
import { changedBy } from './overview.ts'
import { rowWith } from './overview-fixture.ts'
import { shownOf, type TreeView, treeOf } from './tree.ts'

const rows = [
  rowWith('a', { name: 'lead', agent: { type: 'claude', conversation: null, task: 'fix it', tokens: 1_000 } }),
  rowWith('b', { parentId: 'a', state: 'busy', kind: null }),
  rowWith('c', { name: 'other' }),
  rowWith('d', { parentId: 'b', need: 'password', kind: 'password' }),
  rowWith('e', { parentId: 'gone', state: 'exited', kind: null, exitCode: 2 }),
]
const all: TreeView = { text: '', tone: null, kind: null, collapsed: new Set() }
const shown = (view: Partial<TreeView>) =>
  shownOf(treeOf(rows), { ...all, ...view }).map(
    ({ row, depth, isContext }) => `${' '.repeat(depth)}${isContext ? '(' : ''}${row.terminalId}`,
  )

test('each stands below the one that has opened it, and what has lost its parent at the top', () => {
  expect(shown({})).toEqual(['a', ' b', '  d', 'c', 'e'])
})

test('what is below one is summed up', () => {
  expect(treeOf(rows)[0]?.below).toEqual({ count: 2, tones: { working: 1, asks: 1 }, tokens: 1_000 })
})

test('what is below a folded one is not shown', () => {
  expect(shown({ collapsed: new Set(['b']) })).toEqual(['a', ' b', 'c', 'e'])
})

test.each<[string, Partial<TreeView>, readonly string[]]>([
  ['a state', { tone: 'asks' }, ['(a', ' (b', '  d']],
  ['a kind', { kind: 'password' }, ['(a', ' (b', '  d']],
  ['agents', { kind: 'agent' }, ['a']],
  ['words of a name', { text: 'OTHER' }, ['c']],
  ['words of a task, in any order', { text: 'it fix' }, ['a']],
  ['what is folded, too', { tone: 'asks', collapsed: new Set(['a']) }, ['(a', ' (b', '  d']],
  ['nothing that there is', { text: 'nowhere' }, []],
])('a filter for %s shows it with what stands above it', (_what, view, want) => {
  expect(shown(view)).toEqual(want)
})

test('a change of one row leaves the others the same objects', () => {
  const whole = { type: 'overview', isWhole: true, terminals: rows, gone: [], needs: [] } as const
  const before = changedBy({ rows: [], needs: [] }, whole)
  const change = rowWith('c', { state: 'busy' })
  const after = changedBy(before, { ...whole, isWhole: false, terminals: [change], gone: ['e'], needs: null })
  expect(after.rows).toEqual([rows[0], rows[1], change, rows[3]])
  expect(after.rows[0]).toBe(rows[0])
})

test('a thousand rows may stand below each other', () => {
  const chain = Array.from({ length: 1_000 }, (_, at) =>
    rowWith(`t${at}`, { parentId: at === 0 ? null : `t${at - 1}` }),
  )
  expect(treeOf(chain).at(-1)?.depth).toBe(999)
})
