import { TermError } from '@agentpty/protocol'
import { beforeEach, expect, test } from 'vitest'
import { settled } from '../testing/fake-daemon.ts'
import { FakeTab } from '../testing/fake-tab.ts'
import { forgetAll } from '../testing/vscode.ts'

beforeEach(forgetAll)

test('a program that fits is drawn from its bytes, at its own size', async () => {
  const tab = new FakeTab([140, 40])
  await tab.program([80, 24])
  await tab.daemon.follow.send({ type: 'output', offset: 0, bytes: Buffer.from('é$ '), next: 4, missedBytes: 0 })
  expect(tab.drawnFrom).toBe('bytes')
  expect(tab.shown).toEqual([80, 24])
  expect(tab.drawn).toBe('<whole 80x24>\x1b[?1004hé$ ')
})

test('a larger program is drawn in part, at the size of the tab', async () => {
  const tab = new FakeTab([140, 14])
  await tab.program([100, 40])
  expect(tab.drawnFrom).toEqual([140, 14])
  expect(tab.shown).toEqual([140, 14])
  expect(tab.drawn).toContain('a part')
})

test.each([
  ['grows beyond its tab', [140, 14], [100, 12], [100, 90], [140, 14]],
  ['grows beyond its tab in width', [90, 40], [80, 24], [200, 24], [90, 40]],
  ['shrinks into it', [140, 14], [100, 90], [60, 8], 'bytes'],
  ['shrinks and grows to all of it', [140, 14], [60, 8], [140, 14], 'bytes'],
] as const)('a program that %s is drawn at the right size', async (_, own, before, now, from) => {
  const tab = new FakeTab(own)
  await tab.program(before)
  await tab.program(now)
  expect(tab.drawnFrom).toEqual(from)
  expect(tab.shown).toEqual(from === 'bytes' ? now : own)
})

test.each([
  ['cut by it', [140, 40], [140, 14], [140, 14]],
  ['cut in width alone', [140, 40], [90, 40], [90, 40]],
  ['still whole', [140, 40], [120, 30], 'bytes'],
  ['whole again', [140, 14], [140, 40], 'bytes'],
] as const)('a panel that a person makes larger or smaller leaves the program %s', async (_, own, now, from) => {
  const tab = new FakeTab(own)
  await tab.program([100, 30])
  await tab.resize(now)
  await tab.program([100, 30])
  expect(tab.drawnFrom).toEqual(from)
  expect(tab.shown).toEqual(from === 'bytes' ? [100, 30] : now)
})

test('a tab that has grown while hidden shows the whole of a program that grows into it', async () => {
  const tab = new FakeTab([140, 14])
  await tab.program([100, 12])
  await tab.resize([140, 40])
  await tab.program([100, 30])
  expect(tab.drawnFrom).toBe('bytes')
  expect(tab.shown).toEqual([100, 30])
})

test('a tab that has shrunk unseen shows a part of a program that grows again', async () => {
  const tab = new FakeTab([140, 40])
  await tab.program([100, 10])
  await tab.resize([140, 10])
  await tab.program([100, 11])
  expect(tab.drawnFrom).toEqual([140, 10])
})

test('a program opened here gets the size of its tab, and each later one', async () => {
  const tab = new FakeTab([140, 14], 'always')
  await tab.program([120, 40])
  expect(tab.daemon.inputsOf('resize').at(-1)).toEqual({ terminalId: 'term-1', cols: 140, rows: 14 })
  await tab.program([140, 14])
  await tab.resize([140, 30])
  expect(tab.daemon.inputsOf('resize').at(-1)).toEqual({ terminalId: 'term-1', cols: 140, rows: 30 })
})

test('a size set by an agent stays until a person types', async () => {
  const tab = new FakeTab([140, 40], 'always')
  await tab.program([140, 40])
  await tab.program([80, 24])
  expect(tab.daemon.inputsOf('resize')).toEqual([])
  tab.pty.handleInput('x')
  await settled()
  expect(tab.daemon.inputsOf('resize').at(-1)).toEqual({ terminalId: 'term-1', cols: 140, rows: 40 })
})

test('with that setting, a program gets the size of its tab when a person types', async () => {
  const tab = new FakeTab([140, 40], 'typed')
  await tab.program([80, 24])
  await tab.resize([140, 30])
  expect(tab.daemon.inputsOf('resize')).toEqual([])
  tab.pty.handleInput('x')
  await settled()
  expect(tab.daemon.inputsOf('resize')).toEqual([{ terminalId: 'term-1', cols: 140, rows: 30 }])
})

test('a program of another window gets the size of its tab on demand only', async () => {
  const tab = new FakeTab([140, 40])
  await tab.program([80, 24])
  await tab.resize([140, 30])
  tab.pty.handleInput('x')
  await settled()
  expect(tab.daemon.inputsOf('resize')).toEqual([])
  tab.pty.fit()
  await settled()
  expect(tab.daemon.inputsOf('resize')).toEqual([{ terminalId: 'term-1', cols: 140, rows: 30 }])
})

test('keys reach the program in order, and focus reports do not', async () => {
  const tab = new FakeTab([140, 40])
  for (const key of ['\x1b[I', 'l', 's\r', '\x1b[O', '\x1b[A']) tab.pty.handleInput(key)
  await settled()
  const typed = tab.daemon.inputsOf('write').map(({ data }) => Buffer.from(String(data), 'base64').toString())
  expect(typed.join('')).toBe('ls\r\x1b[A')
})

test.each([
  ['disables focus reports', '\x1b[?1049;1004l'],
  ['resets the terminal', '\x1bc'],
  ['resets it softly', '\x1b[!p'],
])('focus is known even after a program that %s', async (_, sequence) => {
  const tab = new FakeTab([140, 40])
  await tab.program([80, 24])
  const bytes = Buffer.from(`one${sequence}two`)
  await tab.daemon.follow.send({ type: 'output', offset: 0, bytes, next: bytes.length, missedBytes: 0 })
  expect(tab.drawn.endsWith(`one${sequence}two\x1b[?1004h`)).toBe(true)
})

test('keys refused in an agents-only terminal show a message with the next step', async () => {
  const tab = new FakeTab([140, 40])
  tab.daemon.answers.set('write', new TermError('person_types', 'No.', 'No.'))
  tab.pty.handleInput('x')
  await settled()
  expect(tab.said).toEqual(['Only agents type in this terminal. Take it over first.'])
})

test('after a lost connection it is redrawn, and input typed meanwhile arrives', async () => {
  const tab = new FakeTab([140, 40])
  tab.client.set(null)
  tab.pty.handleInput('while lost')
  tab.client.set(tab.daemon.client)
  await settled()
  expect(tab.daemon.follows).toHaveLength(2)
  expect(tab.daemon.inputsOf('write')).toHaveLength(1)
})

test('a closed tab stops following and leaves its program running', () => {
  const tab = new FakeTab([140, 40])
  tab.pty.close()
  expect(tab.daemon.follows.every(({ options }) => options.signal?.aborted)).toBe(true)
  tab.client.set(null)
  tab.client.set(tab.daemon.client)
  expect(tab.daemon.follows).toHaveLength(1)
  expect(tab.daemon.calls).toEqual([])
})

test('the end of a program is shown below its output', async () => {
  const tab = new FakeTab([140, 40])
  await tab.program([80, 24])
  await tab.daemon.follow.send({ type: 'exit', exit: { code: 2, signal: null } })
  expect(tab.drawn).toContain('The program has ended with exit code 2.')
})

test('a terminal closed while its tab opens shows that in the tab, without a dialog', async () => {
  const tab = new FakeTab([80, 24])
  await tab.daemon.follow.fail(new TermError('session_not_found', 'No terminal "term-1".', ''))
  expect(tab.drawn).toContain('This terminal was closed.')
  expect(tab.said).toEqual([])
})
