import { FakeClock } from '@agentpty/protocol/testing'
import { expect, test } from 'vitest'
import { LocalEcho } from './local-echo.ts'

const slowMs = 100

/** A terminal with a slow connection. Only the text drawn over it counts here. */
class SlowTerminal {
  readonly clock = new FakeClock()
  readonly screen = { cols: 80, isUnsuitable: false, line: () => this.row }
  row = { row: 0, col: 2, text: '$ ' }
  over: string | null = null
  controls = 0
  readonly echo: LocalEcho

  constructor() {
    const { clock, screen } = this
    this.echo = new LocalEcho({ clock, screen, draw: (prediction) => (this.over = prediction?.text ?? null) })
  }

  /** A terminal that echoes and is known to be slow. */
  static ready(): SlowTerminal {
    const terminal = new SlowTerminal()
    terminal.says(true)
    terminal.types('x')
    terminal.takes('x')
    terminal.shows('$ x')
    terminal.clock.advance(1_000)
    return terminal
  }

  says(echoes: boolean): void {
    this.echo.update({ echoes, controls: this.controls })
  }

  types(...texts: readonly string[]): void {
    for (const text of texts) this.echo.typed(text)
  }

  takes(text: string, ms = slowMs): void {
    this.echo.sending()
    this.clock.advance(ms)
    this.echo.taken(text)
  }

  shows(text: string, row = this.row.row): void {
    this.row = { row, col: text.length, text }
    this.echo.drawn()
  }
}

test('a letter is shown early, and not twice', () => {
  const terminal = SlowTerminal.ready()
  terminal.types('a', 'b')
  expect(terminal.over).toBe('ab')
  terminal.shows('$ xa')
  expect(terminal.over).toBe('b')
  terminal.shows('$ xab')
  expect(terminal.over).toBeNull()
})

test('a fast connection shows nothing early', () => {
  const terminal = new SlowTerminal()
  terminal.says(true)
  terminal.types('a')
  terminal.takes('a', 5)
  terminal.shows('$ a')
  terminal.clock.advance(1_000)
  terminal.types('b')
  expect(terminal.over).toBeNull()
})

test('without a known echo, nothing is shown early', () => {
  const terminal = SlowTerminal.ready()
  terminal.says(false)
  terminal.types('s')
  expect(terminal.over).toBeNull()
})

test('after Enter, nothing is shown until the daemon reports echo at a later moment', () => {
  const terminal = SlowTerminal.ready()
  terminal.types('a', '\r', 's', 'e')
  expect(terminal.over).toBe('a')
  // Reports the state before Enter, but arrives late.
  terminal.says(true)
  terminal.types('c')
  expect(terminal.over).toBe('a')
  terminal.takes('a\rsec')
  terminal.says(true)
  terminal.clock.advance(1_000)
  terminal.types('r')
  expect(terminal.over).toBeNull()
  terminal.takes('r')
  terminal.controls = 1
  terminal.shows('$ ', 1)
  terminal.clock.advance(1_000)
  terminal.says(true)
  terminal.types('l')
  expect(terminal.over).toBe('l')
})

test('an Enter in flight prevents early echo, whatever other clients have typed', () => {
  const terminal = SlowTerminal.ready()
  terminal.types('\r')
  terminal.controls = 5
  terminal.says(true)
  terminal.types('s')
  expect(terminal.over).toBeNull()
})

test('letters typed before the connection is known to be slow are included', () => {
  const terminal = new SlowTerminal()
  terminal.says(true)
  terminal.types('a', 'b')
  expect(terminal.over).toBeNull()
  terminal.takes('a')
  terminal.types('c')
  expect(terminal.over).toBe('abc')
  terminal.shows('$ a')
  expect(terminal.over).toBe('bc')
})

test('a wrong prediction disappears, and nothing is predicted until the next prompt', () => {
  const terminal = SlowTerminal.ready()
  terminal.types('a')
  terminal.shows('$ x*')
  expect(terminal.over).toBeNull()
  terminal.takes('a')
  terminal.clock.advance(1_000)
  terminal.types('b')
  expect(terminal.over).toBeNull()
  terminal.takes('b')
  terminal.types('\r')
  terminal.takes('\r')
  terminal.controls = 1
  terminal.shows('$ ', 1)
  terminal.clock.advance(1_000)
  terminal.says(true)
  terminal.types('c')
  expect(terminal.over).toBe('c')
})

test('a letter that the terminal never shows disappears after it was typed', () => {
  const terminal = SlowTerminal.ready()
  terminal.types('a')
  terminal.takes('a')
  expect(terminal.over).toBe('a')
  terminal.clock.advance(2 * slowMs)
  expect(terminal.over).toBeNull()
})

test('Backspace removes a predicted letter immediately', () => {
  const terminal = SlowTerminal.ready()
  terminal.types('a', 'b', '\x7f')
  expect(terminal.over).toBe('a')
})

test('Backspace does not delete text before the predicted line, and stops predictions until it arrives', () => {
  const terminal = SlowTerminal.ready()
  terminal.echo.moved()
  terminal.types('\x7f', 'y')
  expect(terminal.over).toBeNull()
})

test.each([
  ['a full-screen program', true, '$ x'],
  ['text behind the cursor', false, '$ x and more'],
])('nothing is shown over %s', (_what, isUnsuitable, text) => {
  const terminal = SlowTerminal.ready()
  terminal.echo.moved()
  terminal.screen.isUnsuitable = isUnsuitable
  terminal.row = { ...terminal.row, text }
  terminal.types('a')
  expect(terminal.over).toBeNull()
})

test.each(['漢', '\x1b[A', 'x'.repeat(100)])('no prediction is made for %j', (text) => {
  const terminal = SlowTerminal.ready()
  terminal.types('a', text, 'b')
  expect(terminal.over === null || terminal.over === 'a').toBe(true)
})

test('refused input disappears', () => {
  const terminal = SlowTerminal.ready()
  terminal.types('a')
  terminal.echo.refused()
  expect(terminal.over).toBeNull()
})
