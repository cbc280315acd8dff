import { FakeClock } from '@agentpty/protocol/testing'
import { expect, test } from 'vitest'
import { LocalEcho } from './local-echo.ts'

const slowMs = 100

/** A terminal at the other end of a slow line. Of what is drawn over it, only the text counts here. */
class SlowTerminal {
  readonly clock = new FakeClock()
  readonly screen = { cols: 80, isElsewhere: false, line: () => this.row }
  row = { row: 0, col: 2, text: '$ ' }
  over: string | null = null
  controls = 0
  readonly echo: LocalEcho

  constructor() {
    const { clock, screen } = this
    this.echo = new LocalEcho({ clock, screen, draw: (prediction) => (this.over = prediction?.text ?? null) })
  }

  /** One that echoes, and of which the page knows that it is slow. */
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
    this.echo.told({ echoes, controls: this.controls })
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

test('a letter is shown before the terminal shows it, and not twice', () => {
  const terminal = SlowTerminal.ready()
  terminal.types('a', 'b')
  expect(terminal.over).toBe('ab')
  terminal.shows('$ xa')
  expect(terminal.over).toBe('b')
  terminal.shows('$ xab')
  expect(terminal.over).toBeNull()
})

test('on a fast line nothing is shown before, and on one that has become fast no more', () => {
  const terminal = new SlowTerminal()
  terminal.says(true)
  terminal.types('a')
  terminal.takes('a', 5)
  terminal.shows('$ a')
  terminal.clock.advance(1_000)
  terminal.types('b')
  expect(terminal.over).toBeNull()
})

test('where nothing is known of echoes, or it is known that there are none, nothing is shown', () => {
  const terminal = SlowTerminal.ready()
  terminal.says(false)
  terminal.types('s')
  expect(terminal.over).toBeNull()
})

test('after Enter nothing is shown until the daemon has said of a moment after it that letters are', () => {
  const terminal = SlowTerminal.ready()
  terminal.types('a', '\r', 's', 'e')
  expect(terminal.over).toBe('a')
  // Said of the moment before Enter, and come late.
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

test('an Enter that was not taken yet keeps it shut, whatever others have typed meanwhile', () => {
  const terminal = SlowTerminal.ready()
  terminal.types('\r')
  terminal.controls = 5
  terminal.says(true)
  terminal.types('s')
  expect(terminal.over).toBeNull()
})

test('what was typed before it was known that the line is slow is followed, too', () => {
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

test('what the terminal shows otherwise is wrong: it vanishes, and nothing more is shown until the next prompt', () => {
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

test('what is never shown by the terminal vanishes once it was taken', () => {
  const terminal = SlowTerminal.ready()
  terminal.types('a')
  terminal.takes('a')
  expect(terminal.over).toBe('a')
  terminal.clock.advance(2 * slowMs)
  expect(terminal.over).toBeNull()
})

test('a letter is taken back at once', () => {
  const terminal = SlowTerminal.ready()
  terminal.types('a', 'b', '\x7f')
  expect(terminal.over).toBe('a')
})

test('what was there before the line began is not taken back, and nothing is shown while that is on its way', () => {
  const terminal = SlowTerminal.ready()
  terminal.echo.moved()
  terminal.types('\x7f', 'y')
  expect(terminal.over).toBeNull()
})

test.each([
  ['a full-screen program', true, '$ x'],
  ['text behind the cursor', false, '$ x and more'],
])('nothing is shown over %s', (_what, isElsewhere, text) => {
  const terminal = SlowTerminal.ready()
  terminal.echo.moved()
  terminal.screen.isElsewhere = isElsewhere
  terminal.row = { ...terminal.row, text }
  terminal.types('a')
  expect(terminal.over).toBeNull()
})

test.each(['漢', '\x1b[A', 'x'.repeat(100)])('of %j it is not known what it does', (text) => {
  const terminal = SlowTerminal.ready()
  terminal.types('a', text, 'b')
  expect(terminal.over === null || terminal.over === 'a').toBe(true)
})

test('what was refused vanishes', () => {
  const terminal = SlowTerminal.ready()
  terminal.types('a')
  terminal.echo.refused()
  expect(terminal.over).toBeNull()
})
