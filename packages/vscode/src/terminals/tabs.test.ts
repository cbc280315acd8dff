import assert from 'node:assert/strict'
import type { Overview, Row } from '@agentpty/protocol/overview'
import { FakeClock } from '@agentpty/protocol/testing'
import type { WireClient } from '@agentpty/protocol/wire'
import { beforeEach, expect, test } from 'vitest'
import { Observable } from '../link/observable.ts'
import { FakeDaemon, rowOf, settled } from '../testing/fake-daemon.ts'
import { editor, forgetAll, Terminal, window } from '../testing/vscode.ts'
import { SessionTerminal } from './session-terminal.ts'
import { Tabs } from './tabs.ts'

beforeEach(forgetAll)

/** Opens a window. The same memory means the same window after a reload. */
function openWindow(
  memory = new Map<string, unknown>(),
  isOurs: (cwd: string) => boolean = () => true,
  machine: string | null = null,
) {
  const overview = new Observable<Overview | null>(null)
  const clock = new FakeClock()
  const client = new Observable<WireClient | null>(null)
  const memento = {
    keys: () => [...memory.keys()],
    get: (key: string, otherwise?: unknown) => memory.get(key) ?? otherwise,
    update: async (key: string, value: unknown) => void memory.set(key, value),
  }
  const tabs = new Tabs({
    client,
    overview,
    clock,
    memory: memento as never,
    isOurs,
    at: () => machine,
    say: () => {},
  })
  const list = (...rows: readonly Row[]) => overview.set({ rows, nodes: [], needs: [] })
  /** The editor makes each new tab before the next one. */
  const show = (...rows: readonly Row[]) => {
    const before = editor.terminals.length
    list(...rows)
    for (let at = before; at < editor.terminals.length; at++) editor.terminals[at]?.creationOptions.pty.open(undefined)
  }
  return { tabs, client, clock, list, show }
}

const names = () => editor.terminals.map(({ creationOptions }) => creationOptions.name)

test('a terminal opened before the window gets no tab', () => {
  openWindow().show(rowOf('old'))
  expect(names()).toEqual([])
})

test('a new terminal is a tab in the panel and does not take the focus', () => {
  const { show } = openWindow()
  show()
  show(rowOf('new', { name: 'build' }))
  expect(names()).toEqual(['build'])
  expect(editor.terminals[0]?.shown).toEqual([{ preserveFocus: true }])
  expect(editor.terminals[0]?.creationOptions.location).toBe(1)
})

test.each([
  ['comes in front of one of agentpty that is not in use', [], true, true],
  ['comes in front of one of agentpty that a person has left', ['\x1b[I', 'ls\r', '\x1b[O'], true, true],
  ['stays behind one of agentpty that has the keyboard', ['\x1b[I'], true, false],
  ['stays behind one that was typed in while the window has no keyboard', ['\x1b[I', 'l', '\x1b[O'], false, false],
] as const)('a new terminal %s', (_, keys, isFocused, isInFront) => {
  const { show } = openWindow()
  show()
  show(rowOf('first'))
  const [first] = editor.terminals
  window.activeTerminal = first
  window.state.focused = isFocused
  const pty = first?.creationOptions.pty
  assert(pty instanceof SessionTerminal)
  for (const key of keys) pty.handleInput(key)
  show(rowOf('first'), rowOf('second', { name: 'build' }))
  expect(editor.terminals[1]?.shown).toEqual(isInFront ? [{ preserveFocus: true }] : [])
  expect(editor.said).toEqual(isInFront ? [] : ['build is a new tab of the panel.'])
})

test.each([
  ['comes in front of an unused terminal of the editor', false, 'panel', 1],
  ['stays behind a terminal of the editor that a person has typed in', true, 'panel', 0],
  ['comes beside the files whatever is in the panel', true, 'editor', 1],
] as const)('a new terminal %s', (_, isInteractedWith, location, count) => {
  editor.settings.set('agentpty.terminals.location', location)
  const { show } = openWindow()
  show()
  const other = new Terminal({ name: 'bash', pty: null as never, location: undefined })
  other.state.isInteractedWith = isInteractedWith
  window.activeTerminal = other
  show(rowOf('new'))
  expect(editor.terminals[0]?.shown).toHaveLength(count)
})

test('a new terminal is beside the files with that setting', () => {
  editor.settings.set('agentpty.terminals.location', 'editor')
  const { show } = openWindow()
  show()
  show(rowOf('new'))
  expect(editor.terminals[0]?.creationOptions.location).toEqual({ viewColumn: -2, preserveFocus: true })
})

test('with that setting, a new terminal is next to the one that opened it', () => {
  editor.settings.set('agentpty.terminals.location', 'split')
  const { show } = openWindow()
  show()
  show(rowOf('first'))
  show(rowOf('first'), rowOf('second', { parentId: 'first' }))
  expect(editor.terminals[1]?.creationOptions.location).toEqual({ parentTerminal: editor.terminals[0] })
})

test('with tabs off, a new terminal gets none, and the tree opens it in the panel', () => {
  editor.settings.set('agentpty.terminals.location', 'off')
  const { tabs, show } = openWindow()
  show()
  show(rowOf('new'))
  expect(names()).toEqual([])
  tabs.show(rowOf('new'), { preserveFocus: false })
  expect(names()).toEqual(['new'])
  expect(editor.terminals[0]?.shown).toEqual([{ preserveFocus: false }])
})

test('a terminal in the folder of another window gets no tab here', () => {
  const { show } = openWindow(new Map(), (cwd) => cwd !== '/elsewhere')
  show()
  show(rowOf('new', { cwd: '/elsewhere' }))
  expect(names()).toEqual([])
})

test('the tab of a closed terminal is closed', () => {
  const { show } = openWindow()
  show()
  show(rowOf('new'))
  show()
  expect(editor.terminals[0]?.isDisposed).toBe(true)
})

test('a reload restores the open tabs, not the closed ones', () => {
  const memory = new Map<string, unknown>()
  const { show } = openWindow(memory)
  show()
  show(rowOf('open'), rowOf('closed'))
  editor.terminals[1]?.dispose()
  forgetAll()
  openWindow(memory).show(rowOf('open'), rowOf('closed'))
  expect(names()).toEqual(['open'])
})

test('an existing tab is shown, not created again', () => {
  const { tabs, show } = openWindow()
  show()
  show(rowOf('one'))
  tabs.show(rowOf('one'), { preserveFocus: false })
  expect(editor.terminals).toHaveLength(1)
  expect(editor.terminals[0]?.shown.at(-1)).toEqual({ preserveFocus: false })
})

test('the tab that the editor creates for a terminal opened here is used', () => {
  const { tabs, show } = openWindow()
  show()
  const pty = tabs.ptyFor('own')
  const terminal = new Terminal({ name: 'own', pty: pty as never, location: undefined })
  editor.opened.fire(terminal)
  show(rowOf('own'))
  expect(editor.terminals).toEqual([])
  expect(tabs.idOf(terminal as never)).toBe('own')
  expect(tabs.idOf(undefined)).toBeNull()
})

test('another machine has its own tabs despite equal ids, and input typed here never reaches it', async () => {
  const { tabs, client, show } = openWindow()
  show()
  show(rowOf('term-1', { name: 'mine' }))
  const pty = editor.terminals[0]?.creationOptions.pty
  assert(pty instanceof SessionTerminal)
  pty.open(undefined)
  pty.handleInput('my password\r')
  tabs.enter('http://far:17580')
  expect(editor.terminals[0]?.isDisposed).toBe(true)
  const far = new FakeDaemon()
  client.set(far.client)
  show(rowOf('term-1', { name: 'theirs' }))
  await settled()
  expect([far.calls, far.follows, names()]).toEqual([[], [], ['mine']])
  tabs.show(rowOf('term-1', { name: 'theirs' }), { preserveFocus: false })
  expect(names()).toEqual(['mine', 'theirs'])
  tabs.enter(null)
  show(rowOf('term-1', { name: 'mine' }))
  expect(names()).toEqual(['mine', 'theirs', 'mine'])
})

test('a window that starts with another machine shows no tabs of this one', () => {
  const memory = new Map<string, unknown>()
  const { show } = openWindow(memory)
  show()
  show(rowOf('term-1', { name: 'mine' }))
  forgetAll()
  openWindow(memory, () => true, 'http://far:17580').show(rowOf('term-1', { name: 'theirs' }))
  expect(names()).toEqual([])
})

test('of many new terminals, tabs are made one after the other, and only the last one is shown', () => {
  const { list, clock } = openWindow()
  list()
  list(rowOf('one'), rowOf('two'), rowOf('three'))
  expect(names()).toEqual(['one'])
  editor.terminals[0]?.creationOptions.pty.open(undefined)
  expect(names()).toEqual(['one', 'two'])
  // The editor may report nothing.
  clock.advance(2_000)
  expect(names()).toEqual(['one', 'two', 'three'])
  expect(editor.terminals.map(({ shown }) => shown.length)).toEqual([1, 0, 1])
})

test('a tab whose terminal the editor has closed is no tab any more', () => {
  const { tabs } = openWindow()
  const closed: string[] = []
  const pty = { close: () => closed.push('closed') } as never
  const terminal = new Terminal({ name: 'task', pty, location: 1 })
  tabs.adopt('term-9', pty, terminal as never)
  expect(tabs.idOf(terminal as never)).toBe('term-9')
  editor.events.closed.fire(terminal)
  expect(closed).toEqual(['closed'])
})

test('a terminal that is opened from this window gets no second tab, even if it is listed before its call returns', async () => {
  const { tabs, list } = openWindow()
  list()
  const opened = await tabs.opening(async () => {
    list(rowOf('own'), rowOf('other'))
    expect(names()).toEqual([])
    return tabs.ptyFor('own')
  })
  expect(names()).toEqual(['other'])
  expect(opened).toBeInstanceOf(SessionTerminal)
})
