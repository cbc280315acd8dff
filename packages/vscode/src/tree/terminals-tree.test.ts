import type { Overview, Row } from '@agentpty/protocol/overview'
import { FakeClock } from '@agentpty/protocol/testing'
import { beforeEach, expect, test } from 'vitest'
import { Observable } from '../link/observable.ts'
import { rowOf } from '../testing/fake-daemon.ts'
import { forgetAll } from '../testing/vscode.ts'
import { rememberHolder } from './own-holder.ts'
import { TerminalsTree, type TreeNode } from './terminals-tree.ts'

beforeEach(forgetAll)

function treeOf(...rows: readonly Row[]) {
  const clock = new FakeClock()
  const overview = new Observable<Overview | null>({ rows, nodes: [], needs: [] })
  const tree = new TerminalsTree(overview, clock)
  clock.advance(100)
  return { tree, overview, clock }
}

function drawn(tree: TerminalsTree, nodes: readonly TreeNode[] = tree.getChildren(), depth = 0): readonly string[] {
  return nodes.flatMap((node) => [
    `${'  '.repeat(depth)}${tree.getTreeItem(node).label}: ${tree.getTreeItem(node).description}`,
    ...drawn(tree, tree.getChildren(node), depth + 1),
  ])
}

test.each([
  ['waits', {}, 'circle-outline', 'at its prompt · bash'],
  ['works', { state: 'busy', kind: null }, 'sync', 'working · bash'],
  ['asks', { need: 'confirmation' }, 'bell-dot', 'asks yes or no · bash'],
  ['has failed', { state: 'exited', exitCode: 2 }, 'error', 'ended (exit 2) · bash'],
  ['has ended', { state: 'exited', exitCode: 0 }, 'pass', 'ended · bash'],
] satisfies [string, Partial<Row>, string, string][])(
  'the row of a terminal that %s shows it',
  (_, other, icon, words) => {
    const { tree } = treeOf(rowOf('term-1', other))
    const [node] = tree.getChildren()
    const item = tree.getTreeItem(node as TreeNode)
    expect(item.iconPath).toMatchObject({ id: icon })
    expect(item.description).toBe(words)
  },
)

test.each([
  ['open and free', {}, 'terminal open free'],
  ['open and taken over', { mayType: 'person', takenBy: 'ada' }, 'terminal open taken'],
  ['over', { state: 'exited', exitCode: 0 }, 'terminal over free again'],
] satisfies [string, Partial<Row>, string][])('the context value of a terminal that is %s', (_, other, value) => {
  const { tree } = treeOf(rowOf('term-1', other))
  expect(tree.getTreeItem(tree.getChildren()[0] as TreeNode).contextValue).toBe(value)
})

test('the tree shows which terminal opened which, with a summary of each subtree', () => {
  const { tree } = treeOf(
    rowOf('lead', { name: 'lead' }),
    rowOf('one', { parentId: 'lead', state: 'busy', kind: null }),
    rowOf('two', { parentId: 'one', need: 'password' }),
  )
  expect(drawn(tree)).toEqual([
    'lead: at its prompt · bash · 2 below: 1 ask, 1 work',
    '  one: working · bash · 1 below: 1 ask',
    '    two: asks for a password · bash',
  ])
  expect(tree.getParent(tree.nodeOf('two') as TreeNode)?.id).toBe('one')
})

test('a filter keeps matching rows and the rows above them', () => {
  const { tree } = treeOf(rowOf('lead'), rowOf('tests', { parentId: 'lead', program: 'vitest' }), rowOf('other'))
  tree.setFilter({ text: 'vitest', tone: null })
  expect(drawn(tree).map((line) => line.split(':')[0])).toEqual(['lead', '  tests'])
})

test('only changed rows are redrawn, as the same nodes, and the whole tree after a new row', () => {
  const one = rowOf('one')
  const two = rowOf('two')
  const { tree, overview, clock } = treeOf(one, two)
  const drawnAgain: unknown[] = []
  tree.onDidChangeTreeData((nodes) => drawnAgain.push(nodes?.map(({ id }) => id) ?? 'all'))
  const [, node] = tree.getChildren()
  const set = (...rows: readonly Row[]) => {
    overview.set({ rows, nodes: [], needs: [] })
    clock.advance(100)
  }
  set(one, { ...two })
  set(one, { ...two, need: 'password' })
  expect(tree.getChildren()[1]).toBe(node)
  expect(tree.getTreeItem(node as TreeNode).description).toBe('asks for a password · bash')
  set(one, two, rowOf('three', { parentId: 'two' }))
  expect(drawnAgain).toEqual([['two'], 'all'])
})

test('the tree is redrawn at most ten times a second', () => {
  const { tree, overview, clock } = treeOf()
  let count = 0
  tree.onDidChangeTreeData(() => count++)
  for (let index = 0; index < 50; index++) overview.set({ rows: [rowOf(`term-${index}`)], nodes: [], needs: [] })
  expect(count).toBe(0)
  clock.advance(100)
  expect(count).toBe(1)
  expect(drawn(tree)).toEqual(['term-49: at its prompt · bash'])
})

test('a terminal taken over by this window is “taken by you”, and others name the holder', () => {
  rememberHolder('VS Code (ada)')
  const tooltips = ['VS Code (ada)', 'page (Firefox)'].map((takenBy) => {
    const { tree } = treeOf(rowOf('term-1', { mayType: 'person', takenBy }))
    return tree.getTreeItem(tree.getChildren()[0] as TreeNode).tooltip
  })
  expect(tooltips).toEqual([
    expect.stringContaining('taken by you'),
    expect.stringContaining('taken by page (Firefox)'),
  ])
})
