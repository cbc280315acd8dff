import assert from 'node:assert/strict'
import type { Overview, Row } from '@agentpty/protocol/overview'
import type { WireClient } from '@agentpty/protocol/wire'
import { beforeEach, expect, test } from 'vitest'
import { Held } from '../link/held.ts'
import { FakeDaemon, rowOf, settled } from '../testing/fake-daemon.ts'
import { editor, forgetAll, Terminal, window } from '../testing/vscode.ts'
import { SessionTerminal } from './session-terminal.ts'
import { Tabs } from './tabs.ts'

beforeEach(forgetAll)

/** A window; with the same memory it is the same one, reloaded. */
function openWindow(
  memory = new Map<string, unknown>(),
  isOurs: (cwd: string) => boolean = () => true,
  machine: string | null = null,
) {
  const overview = new Held<Overview | null>(null)
  const client = new Held<WireClient | null>(null)
  const memento = {
    keys: () => [...memory.keys()],
    get: (key: string, otherwise?: unknown) => memory.get(key) ?? otherwise,
    update: async (key: string, value: unknown) => void memory.set(key, value),
  }
  const tabs = new Tabs({
    client,
    overview,
    memory: memento as never,
    isOurs,
    at: () => machine,
    say: () => {},
  })
  return { tabs, client, show: (...rows: readonly Row[]) => overview.set({ rows, nodes: [], needs: [] }) }
}

const names = () => editor.terminals.map(({ creationOptions }) => creationOptions.name)

test('a terminal that was there before the window is no tab', () => {
  openWindow().show(rowOf('old'))
  expect(names()).toEqual([])
})

test('a new terminal is a tab in the panel that leaves the keyboard where it is', () => {
  const { show } = openWindow()
  show()
  show(rowOf('new', { name: 'build' }))
  expect(names()).toEqual(['build'])
  expect(editor.terminals[0]?.shown).toEqual([{ preserveFocus: true }])
  expect(editor.terminals[0]?.creationOptions.location).toBe(1)
})

test.each([
  ['comes in front of one of agentpty that nobody uses', [], true, true],
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
  ['comes in front of a terminal of the editor that nobody has used', false, 'panel', 1],
  ['stays behind a terminal of the editor that somebody has typed in', true, 'panel', 0],
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

test('a new terminal is beside the files where that is set', () => {
  editor.settings.set('agentpty.terminals.location', 'editor')
  const { show } = openWindow()
  show()
  show(rowOf('new'))
  expect(editor.terminals[0]?.creationOptions.location).toEqual({ viewColumn: -2, preserveFocus: true })
})

test('a new terminal is beside the one that has opened it where that is set', () => {
  editor.settings.set('agentpty.terminals.location', 'split')
  const { show } = openWindow()
  show()
  show(rowOf('first'))
  show(rowOf('first'), rowOf('second', { parentId: 'first' }))
  expect(editor.terminals[1]?.creationOptions.location).toEqual({ parentTerminal: editor.terminals[0] })
})

test('where tabs are off a new terminal is none, and the tree opens it in the panel', () => {
  editor.settings.set('agentpty.terminals.location', 'off')
  const { tabs, show } = openWindow()
  show()
  show(rowOf('new'))
  expect(names()).toEqual([])
  tabs.show(rowOf('new'), { preserveFocus: false })
  expect(names()).toEqual(['new'])
  expect(editor.terminals[0]?.shown).toEqual([{ preserveFocus: false }])
})

test('a terminal in the folder of another window is no tab here', () => {
  const { show } = openWindow(new Map(), (cwd) => cwd !== '/elsewhere')
  show()
  show(rowOf('new', { cwd: '/elsewhere' }))
  expect(names()).toEqual([])
})

test('a tab whose terminal was closed in the daemon goes', () => {
  const { show } = openWindow()
  show()
  show(rowOf('new'))
  show()
  expect(editor.terminals[0]?.isDisposed).toBe(true)
})

test('after a reload the tabs are there again, and those that were closed are not', () => {
  const memory = new Map<string, unknown>()
  const { show } = openWindow(memory)
  show()
  show(rowOf('kept'), rowOf('closed'))
  editor.terminals[1]?.dispose()
  forgetAll()
  openWindow(memory).show(rowOf('kept'), rowOf('closed'))
  expect(names()).toEqual(['kept'])
})

test('a tab that is there is shown, not made again', () => {
  const { tabs, show } = openWindow()
  show()
  show(rowOf('one'))
  tabs.show(rowOf('one'), { preserveFocus: false })
  expect(editor.terminals).toHaveLength(1)
  expect(editor.terminals[0]?.shown.at(-1)).toEqual({ preserveFocus: false })
})

test('what the editor makes for a terminal that was opened here is its tab', () => {
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

test('another machine has tabs of its own, though its terminals have the same ids, and what was typed here never gets there', async () => {
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

test('a window that begins with another machine shows none of the tabs of this one', () => {
  const memory = new Map<string, unknown>()
  const { show } = openWindow(memory)
  show()
  show(rowOf('term-1', { name: 'mine' }))
  forgetAll()
  openWindow(memory, () => true, 'http://far:17580').show(rowOf('term-1', { name: 'theirs' }))
  expect(names()).toEqual([])
})
