import type { Need } from '@agentpty/protocol/needs'
import type { Overview } from '@agentpty/protocol/overview'
import { exampleNeed, FakeClock } from '@agentpty/protocol/testing'
import { beforeEach, expect, test } from 'vitest'
import { Observable } from '../link/observable.ts'
import { settled } from '../testing/fake-daemon.ts'
import { editor, forgetAll, MarkdownString } from '../testing/vscode.ts'
import { NeedsView } from './needs-view.ts'

beforeEach(forgetAll)

function open() {
  const clock = new FakeClock()
  const overview = new Observable<Overview | null>(null)
  const heard: string[] = []
  const view = new NeedsView({
    overview,
    clock,
    answer: ({ needId }) => heard.push(`answer ${needId}`),
    show: (terminalId) => heard.push(`show ${terminalId}`),
    tooltip: async (need) => new MarkdownString(`all about ${need.title}`) as never,
  })
  const need: Need = { ...exampleNeed, since: clock.wall() }
  return {
    clock,
    view,
    heard,
    need,
    needs: (...needs: readonly Need[]) => overview.set({ rows: [], nodes: [], needs }),
  }
}

test('lists the open requests by their questions, with their number as a badge', () => {
  const { view, need, needs } = open()
  needs(need, { ...need, needId: 'other', kind: 'password', text: 'Password:\nmore' })
  expect(editor.views[0]?.badge).toEqual({ value: 2, tooltip: '2 waiting for you' })
  const items = view.getChildren().map((one) => view.getTreeItem(one))
  expect(items.map(({ label, description }) => [label, description])).toEqual([
    ['Would you like to run the following command?', 'fix-tests · now'],
    ['Password:', 'fix-tests · now'],
  ])
  needs()
  expect(editor.views[0]?.badge).toBeUndefined()
})

test('a request that has waited for ten seconds is notified once', () => {
  const { clock, need, needs } = open()
  needs(need)
  clock.advance(9_000)
  expect(editor.asked).toHaveLength(0)
  clock.advance(2_000)
  expect(editor.asked.map(({ text }) => text)).toEqual([
    'fix-tests asks a question: Would you like to run the following command?',
  ])
  clock.advance(60_000)
  expect(editor.asked).toHaveLength(1)
})

test('answered requests are not notified, and none are if notifications are off', () => {
  const { clock, need, needs } = open()
  needs(need)
  clock.advance(5_000)
  needs()
  clock.advance(10_000)
  editor.settings.set('agentpty.needs.notify', false)
  needs({ ...need, needId: 'other' })
  clock.advance(20_000)
  expect(editor.asked).toHaveLength(0)
})

test.each([
  ['Answer', ['answer term-4@8210']],
  ['Show Terminal', ['show term-4']],
  [undefined, []],
])('runs %s from the notification', async (choice, done) => {
  const { clock, heard, need, needs } = open()
  needs(need)
  clock.advance(11_000)
  editor.asked[0]?.answer(choice)
  await settled()
  expect(heard).toEqual(done)
})

test('a click on a row answers the selection, with a command without arguments', () => {
  const { heard, need, needs, view } = open()
  needs(need)
  expect(view.getTreeItem(need).command).toEqual({ command: 'agentpty.answerSelected', title: 'Answer' })
  editor.commands.get('agentpty.answerSelected')?.()
  expect(heard).toEqual([])
  Object.assign(editor.views[0] ?? {}, { selection: [need] })
  editor.commands.get('agentpty.answerSelected')?.()
  expect(heard).toEqual(['answer term-4@8210'])
})

test('the view is shown while there is a request, and a row shows its age in minutes', () => {
  const { clock, need, needs, view } = open()
  needs(need)
  const shownWhen = () => editor.done.findLast(([command, key]) => command === 'setContext' && key === 'agentpty.needs')
  expect(shownWhen()).toEqual(['setContext', 'agentpty.needs', 1])
  const redrawn: string[] = []
  view.onDidChangeTreeData(() => redrawn.push(String(view.getTreeItem(need).description)))
  clock.advance(125_000)
  expect(redrawn).toEqual(['fix-tests · 1 min', 'fix-tests · 2 min'])
  needs()
  expect(shownWhen()).toEqual(['setContext', 'agentpty.needs', 0])
})

test('the hover of a row is built when it is asked for', async () => {
  const { need, view } = open()
  const item = await view.resolveTreeItem(view.getTreeItem(need), need)
  expect(item.tooltip).toMatchObject({ value: 'all about fix-tests' })
})

test('a row without a terminal offers none to show', () => {
  const { need, view, heard } = open()
  expect(view.getTreeItem(need).contextValue).toBe('dialog placed')
  expect(view.getTreeItem({ ...need, terminalId: null }).contextValue).toBe('dialog')
  editor.commands.get('agentpty.showNeed')?.(need)
  expect(heard).toEqual(['show term-4'])
})
