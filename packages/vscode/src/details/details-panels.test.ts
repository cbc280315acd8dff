import type { Overview, Row } from '@agentpty/protocol/overview'
import { exampleItem, FakeClock, nodeWith } from '@agentpty/protocol/testing'
import type { WireClient } from '@agentpty/protocol/wire'
import { beforeEach, expect, test } from 'vitest'
import type * as vscode from 'vscode'
import { Observable } from '../link/observable.ts'
import { FakeDaemon, rowOf, settled } from '../testing/fake-daemon.ts'
import { editor, forgetAll } from '../testing/vscode.ts'
import { TerminalsTree } from '../tree/terminals-tree.ts'
import { DetailsPanels } from './details-panels.ts'

beforeEach(forgetAll)

const team = nodeWith('team', { label: 'Team' })
const placed = nodeWith('node-1', { terminalId: 'term-1', parentId: 'team', kind: 'agent', status: null })

async function open(row: Partial<Row> = {}) {
  const daemon = new FakeDaemon()
  daemon.answers.set('timeline', { items: [exampleItem], startedAt: 0, next: 'older' })
  daemon.answers.set('lineage', { nodes: [placed], rollUps: {} })
  daemon.answers.set('read', { output: 'all of it' })
  const overview = new Observable<Overview | null>({ rows: [rowOf('term-1', row)], nodes: [team, placed], needs: [] })
  const clock = new FakeClock()
  const tree = new TerminalsTree(overview, clock)
  clock.advance(100)
  const client = new Observable<WireClient | null>(daemon.client)
  const panels = new DetailsPanels({ client, tree, clock, at: () => null }, { path: '/extension' } as vscode.Uri)
  panels.show('term-1')
  const panel = editor.panels[0]
  if (panel === undefined) throw new Error('No panel was opened.')
  const press = async (data: Readonly<Record<string, string>>) => {
    panel.messages.fire(data)
    await settled()
  }
  const pass = async (ms: number) => {
    clock.advance(ms)
    await settled()
  }
  await pass(0)
  const html = () => panel.posted.findLast((message) => message['html'] !== undefined)?.['html'] ?? ''
  return { daemon, overview, panel, panels, press, pass, html }
}

test('it shows the parents, the state, and the commands with their outcomes', async () => {
  const { html, panel } = await open({ name: 'build', need: 'password' })
  expect(panel.title).toBe('build')
  for (const part of [
    'Team</button>',
    'aria-current="page">build',
    'asks for a password',
    '$ make test',
    '(exit 2, 8.0 s)',
  ])
    expect(html()).toContain(part)
})

test('program output never becomes HTML of the page', async () => {
  const evil = '<img src=x onerror="alert(1)">\'&'
  const { html } = await open({ name: evil, title: evil, cwd: evil, program: evil })
  expect(html()).not.toContain('<img')
  expect(html()).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&#39;&amp;')
})

test('the page may load only its own script, by a nonce used once', async () => {
  const { panel } = await open()
  const { html } = panel.webview
  const nonce = /script-src (?:'|&#39;)nonce-([\w-]{20,})/.exec(html)?.[1]
  expect(html).toContain('default-src &#39;none&#39;')
  expect(html).not.toContain('unsafe')
  expect(html).toContain(`<script nonce="${nonce}" src="https://view/extension/details.js">`)
})

test('a click on a command copies its output', async () => {
  const { daemon, press, panel } = await open()
  await press({ copy: '318', end: '8210' })
  expect(daemon.inputsOf('read')).toMatchObject([{ terminalId: 'term-1', since: 318, until: 8210 }])
  expect([editor.copied, panel.posted.at(-1)]).toEqual(['all of it', { said: 'Copied its output.' }])
})

test('its buttons run the commands of menus, and no others', async () => {
  const { press } = await open()
  await press({ do: 'take' })
  await press({ do: 'showLog' })
  expect(editor.done.map(([command]) => command)).toEqual(['agentpty.take'])
})

test('older items are added before the shown ones, until there are no more', async () => {
  const { daemon, press, html } = await open()
  expect(html()).toContain('Show Older')
  const older = { ...exampleItem, at: 1, line: 'configure' }
  daemon.answers.set('timeline', { items: [older], startedAt: 0 })
  await press({ older: '1' })
  expect(daemon.inputsOf('timeline').at(-1)).toMatchObject({ before: 'older' })
  expect(html().indexOf('make test')).toBeLessThan(html().indexOf('configure'))
  expect(html()).not.toContain('Show Older')
})

test('events are requested at most once a second, and not while the view is hidden', async () => {
  const { daemon, overview, panel, pass } = await open()
  const change = async (since: number) => {
    overview.set({ rows: [rowOf('term-1', { since })], nodes: [team, placed], needs: [] })
    await pass(100)
  }
  const asked = () => daemon.inputsOf('timeline').length
  const before = asked()
  for (let since = 1; since <= 5; since++) await change(since)
  await pass(1_000)
  expect(asked()).toBe(before + 1)
  panel.visible = false
  panel.viewState.fire()
  await change(9)
  await pass(2_000)
  expect(asked()).toBe(before + 1)
})

test('a closed terminal is shown as gone', async () => {
  const { overview, html, pass } = await open()
  overview.set({ rows: [], nodes: [team], needs: [] })
  await pass(100)
  expect(html()).toContain('It is not there any more.')
})

test('connecting to another machine closes the details, because the same id names another terminal', async () => {
  const { panel, panels } = await open()
  let isOpen = true
  panel.onDidDispose(() => {
    isOpen = false
  })
  panels.enter(null)
  expect(isOpen).toBe(true)
  panels.enter('http://far:17580')
  expect(isOpen).toBe(false)
})
