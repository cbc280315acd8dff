import type { Overview } from '@agentpty/protocol/overview'
import { FakeClock, nodeWith } from '@agentpty/protocol/testing'
import type { WireClient } from '@agentpty/protocol/wire'
import { beforeEach, expect, test } from 'vitest'
import type * as vscode from 'vscode'
import { Observable } from '../link/observable.ts'
import { FakeDaemon, rowOf, settled } from '../testing/fake-daemon.ts'
import { editor, forgetAll } from '../testing/vscode.ts'
import { LineageCommands } from './lineage-commands.ts'
import { TerminalsTree, type TreeNode } from './terminals-tree.ts'
import { Dragging } from './terminals-view.ts'

beforeEach(forgetAll)

function open() {
  const daemon = new FakeDaemon()
  const overview = new Observable<Overview | null>({
    rows: [
      rowOf('term-1', { name: 'lead' }),
      rowOf('term-2', { name: 'part' }),
      rowOf('term-3', { state: 'exited', exitCode: 2 }),
    ],
    nodes: [
      nodeWith('team', { label: 'Team' }),
      nodeWith('node-1', { terminalId: 'term-1', parentId: 'team', kind: 'agent', status: null }),
      nodeWith('node-2', { terminalId: 'term-2', parentId: 'term-1', kind: 'agent', status: null }),
    ],
    needs: [],
  })
  const clock = new FakeClock()
  const tree = new TerminalsTree(overview, clock)
  clock.advance(100)
  const shown: string[] = []
  const client = new Observable<WireClient | null>(daemon.client)
  const commands = new LineageCommands({ client, tree, show: (id) => shown.push(id) })
  commands.register()
  const run = async (name: string, id?: string) => {
    const does = editor.commands.get(`agentpty.${name}`) as (called?: { readonly id: string }) => Promise<void>
    const done = does(id === undefined ? undefined : { id })
    await settled()
    return done
  }
  /** Answers the open dialog. */
  const answer = async (given: unknown) => {
    editor.asked.at(-1)?.answer(given as string)
    await settled()
  }
  return { daemon, tree, commands, shown, client, run, answer }
}

test('a new group is created in the group whose menu was used', async () => {
  const { daemon, run, answer } = open()
  void run('newGroup', 'team')
  await settled()
  expect(editor.asked[0]?.text).toBe('New group below Team')
  await answer(' Parsers ')
  expect(daemon.inputsOf('changeLineage')).toEqual([
    {
      change: { kind: 'add', nodeKind: 'group', label: 'Parsers', role: 'group', parentId: 'team', terminalId: null },
    },
  ])
})

test('dragged rows are moved below the drop target, or to the top', async () => {
  const { daemon, tree, commands } = open()
  const dragging = new Dragging((ids, below) => commands.move(ids, below))
  const data = new Map() as unknown as vscode.DataTransfer
  dragging.handleDrag([tree.nodeOf('term-2') as TreeNode], data)
  await dragging.handleDrop(tree.nodeOf('team') as TreeNode, data)
  await dragging.handleDrop(undefined, data)
  await dragging.handleDrop(tree.nodeOf('term-2') as TreeNode, data)
  expect(daemon.inputsOf('changeLineage')).toEqual([
    { change: { kind: 'move', nodeId: 'term-2', parentId: 'team' } },
    { change: { kind: 'move', nodeId: 'term-2', parentId: null } },
  ])
})

test('nothing is moved below itself, and the message names both rows', async () => {
  const { daemon, commands } = open()
  await commands.move(['team'], 'term-2')
  expect(daemon.calls).toEqual([])
  expect(editor.asked[0]?.text).toBe(
    'Team cannot be moved below part, which is below Team itself. Choose another group.',
  )
})

test('a stop shows how many will end, and ends none without consent', async () => {
  const { daemon, run, answer } = open()
  void run('stop', 'team')
  await settled()
  expect(editor.asked[0]).toMatchObject({
    text: 'Stop Team?',
    options: { modal: true, detail: '2 terminals and agents end, with everything that they have started: lead, part.' },
  })
  await answer(undefined)
  expect(daemon.calls).toEqual([])
  daemon.answers.set('stopLineage', { failed: [{ label: 'part', message: 'It is yours.' }] })
  void run('stop', 'team')
  await settled()
  await answer('Stop')
  expect(daemon.inputsOf('stopLineage')).toEqual([{ nodeId: 'team', nodes: 'keep' }])
  expect(editor.asked.at(-1)?.text).toBe('part goes on: It is yours.')
})

test('a retried terminal is shown, and a failed retry shows a message', async () => {
  const { daemon, run, shown } = open()
  daemon.answers.set('retry', { terminalId: 'term-9' })
  await run('retry', 'term-3')
  expect([daemon.inputsOf('retry'), shown]).toEqual([[{ nodeId: 'term-3' }], ['term-9']])
  daemon.answers.set('retry', new Error('Its command was too long to be kept.'))
  await run('retry', 'term-3')
  expect(editor.asked.at(-1)?.text).toContain('too long to be kept')
})

test('a group gets another label, and a terminal another name', async () => {
  const { daemon, run, answer } = open()
  for (const id of ['team', 'term-1']) {
    void run('renameNode', id)
    await settled()
    await answer('other')
  }
  expect(daemon.calls).toEqual([
    ['changeLineage', { change: { kind: 'describe', nodeId: 'team', label: 'other' } }],
    ['rename', { terminalId: 'term-1', name: 'other' }],
  ])
})

test('a move is offered to all rows but those below', async () => {
  const { daemon, run, answer } = open()
  void run('moveTo', 'term-1')
  await settled()
  const choices = editor.asked[0]?.choices as unknown as readonly { readonly id: string | null }[]
  expect(choices.map(({ id }) => id)).toEqual([null, 'team', 'term-3'])
  await answer(choices[0])
  expect(daemon.inputsOf('changeLineage')).toEqual([{ change: { kind: 'move', nodeId: 'term-1', parentId: null } }])
})

test('only a group can be removed', async () => {
  const { daemon, run } = open()
  await run('removeNode', 'team')
  expect(daemon.inputsOf('changeLineage')).toEqual([{ change: { kind: 'remove', nodeId: 'team' } }])
})

test('without a connection, nothing is changed and a message is shown', async () => {
  const { client, run } = open()
  client.set(null)
  await run('removeNode', 'team')
  expect(editor.asked[0]?.text).toBe('agentpty is not connected. Nothing was changed.')
})
