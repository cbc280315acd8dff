import type { Overview } from '@agentpty/protocol/overview'
import { FakeClock, nodeWith } from '@agentpty/protocol/testing'
import type { WireClient } from '@agentpty/protocol/wire'
import { beforeEach, expect, test } from 'vitest'
import { Observable } from '../link/observable.ts'
import type { Answering } from '../needs/answering.ts'
import type { Tabs } from '../terminals/tabs.ts'
import { rowOf } from '../testing/fake-daemon.ts'
import { editor, forgetAll } from '../testing/vscode.ts'
import { TerminalsTree } from '../tree/terminals-tree.ts'
import { type CommandParts, registerCommands } from './commands.ts'

beforeEach(forgetAll)

function open() {
  const clock = new FakeClock()
  const rows = [rowOf('term-1', { name: 'build' })]
  const overview = new Observable<Overview | null>({ rows, nodes: [nodeWith('node-1')], needs: [] })
  const tree = new TerminalsTree(overview, clock)
  clock.advance(100)
  const shown: string[] = []
  const tabs = { show: ({ terminalId }: { readonly terminalId: string }) => shown.push(terminalId) }
  const client = new Observable<WireClient | null>(null)
  const parts = { client, ownClient: client, overview, tree, tabs: tabs as unknown as Tabs }
  registerCommands({ ...parts, answering: {} as Answering, log: {} as CommandParts['log'] })
  return { tree, overview, clock, shown, openSelected: () => editor.commands.get('agentpty.openSelected')?.() }
}

test.each([
  ['a terminal shows it', 'term-1', ['term-1'], []],
  ['a group shows its details', 'node-1', [], ['agentpty.details']],
])('a click on the row of %s, with a command without arguments', async (_, id, tabs, commands) => {
  const { tree, shown, openSelected } = open()
  const node = tree.nodeOf(id)
  if (node === null) throw new Error(`${id} is not in the tree`)
  expect(tree.getTreeItem(node).command).toEqual({ command: 'agentpty.openSelected', title: expect.any(String) })
  tree.selected = node
  await openSelected()
  expect(shown).toEqual(tabs)
  expect(editor.done.map(([name]) => name)).toEqual(commands)
})

test('nothing is opened for a selection that was cleared or has closed', async () => {
  const { tree, overview, clock, shown, openSelected } = open()
  await openSelected()
  tree.selected = tree.nodeOf('term-1')
  overview.set({ rows: [], nodes: [], needs: [] })
  clock.advance(100)
  await openSelected()
  expect(shown).toEqual([])
})
