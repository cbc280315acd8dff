import { beforeEach, expect, test } from 'vitest'
import type { Overview, Row } from '../../../agentpty/src/faces/overview/overview.ts'
import type { WireClient } from '../../../agentpty/src/faces/wire/wire-client.ts'
import { Held } from '../link/held.ts'
import { rowOf } from '../testing/fake-daemon.ts'
import { editor, forgetAll, Terminal } from '../testing/vscode.ts'
import { Tabs } from './tabs.ts'

beforeEach(forgetAll)

/** A window; with the same memory it is the same one, reloaded. */
function openWindow(memory = new Map<string, unknown>(), isOurs: (cwd: string) => boolean = () => true) {
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
    say: () => {},
    leased: () => {},
  })
  return { tabs, show: (...rows: readonly Row[]) => overview.set({ rows, nodes: [], needs: [] }) }
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
