import { expect, test } from 'vitest'
import { changedBy } from './overview.ts'
import { nodeWith, rowWith } from './overview-fixture.ts'
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
    ({ id, depth, isContext }) => `${' '.repeat(depth)}${isContext ? '(' : ''}${id}`,
  )

test('each entry is below its opener, and one without a parent is at the top', () => {
  expect(shown({})).toEqual(['a', ' b', '  d', 'c', 'e'])
})

test('the entries below one are summed up', () => {
  expect(treeOf(rows)[0]?.below).toEqual({ count: 2, tones: { working: 1, asks: 1 }, tokens: 1_000 })
})

test('entries below a collapsed one are not shown', () => {
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
])('a filter for %s shows the matches with their ancestors', (_what, view, want) => {
  expect(shown(view)).toEqual(want)
})

test('a change of one row leaves the others the same objects', () => {
  const whole = { type: 'overview', isWhole: true, terminals: rows, gone: [], nodes: [], needs: [] } as const
  const before = changedBy({ rows: [], nodes: [], needs: [] }, whole)
  const change = rowWith('c', { state: 'busy' })
  const after = changedBy(before, {
    ...whole,
    isWhole: false,
    terminals: [change],
    gone: ['e'],
    nodes: null,
    needs: null,
  })
  expect(after.rows).toEqual([rows[0], rows[1], change, rows[3]])
  expect(after.rows[0]).toBe(rows[0])
})

test('rows may be nested a thousand levels deep', () => {
  const chain = Array.from({ length: 1_000 }, (_, at) =>
    rowWith(`t${at}`, { parentId: at === 0 ? null : `t${at - 1}` }),
  )
  expect(treeOf(chain).at(-1)?.depth).toBe(999)
})

const nodes = [
  nodeWith('team', { summary: 'writes the parser' }),
  nodeWith('part', { parentId: 'team', order: 1 }),
  nodeWith('node-b', { terminalId: 'b', parentId: 'team', order: 0, kind: 'agent', status: 'blocked' }),
  nodeWith('ghost', { parentId: 'part', kind: 'agent', status: 'error' }),
]

test('groups are where callers have put them, and contain terminals with their children', () => {
  const drawn = treeOf(rows, nodes).map(({ id, depth }) => `${' '.repeat(depth)}${id}`)
  expect(drawn).toEqual(['team', ' b', '  d', ' part', '  ghost', 'a', 'c', 'e'])
})

test('the summary of a group leaves out the groups in it', () => {
  expect(treeOf(rows, nodes)[0]?.below).toEqual({ count: 3, tones: { asks: 2, failed: 1 }, tokens: null })
})

test.each<[string, Partial<TreeView>, readonly string[]]>([
  ['the summary of a group', { text: 'parser' }, ['team']],
  ['what a caller says of a terminal', { tone: 'asks' }, ['(team', ' b', '  d']],
  ['groups', { kind: 'group' }, ['team', ' part']],
])('a filter for %s finds nodes', (_what, view, want) => {
  const found = shownOf(treeOf(rows, nodes), { ...all, ...view })
  expect(found.map(({ id, depth, isContext }) => `${' '.repeat(depth)}${isContext ? '(' : ''}${id}`)).toEqual(want)
})

test('parents of two moments that form a circle lose nothing', () => {
  const circle = [nodeWith('x', { terminalId: 'x', parentId: 'y' })]
  const drawn = treeOf([rowWith('x'), rowWith('y', { parentId: 'x' })], circle)
  expect(drawn.map(({ id, depth }) => [id, depth])).toEqual([
    ['x', 0],
    ['y', 1],
  ])
})
