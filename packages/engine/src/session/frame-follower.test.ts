import assert from 'node:assert/strict'
import type { Size } from '@agentpty/protocol'
import type { SecretValues } from '@agentpty/protocol/secrets'
import type { Frame, FrameWindow, SessionEvent } from '@agentpty/protocol/session'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type FakeSession, openFakeSession } from './testing/fake-session.ts'

/** A follower that draws each frame as it comes. */
class Watcher {
  readonly frames: Frame[] = []
  readonly others: SessionEvent[] = []
  rows: string[] = []
  /** The lines that have passed above the window. */
  readonly above: string[] = []
  isOver = false
  readonly #fake: FakeSession

  constructor(fake: FakeSession, window: FrameWindow) {
    this.#fake = fake
    void this.#follow(window)
  }

  async #follow(frames: FrameWindow): Promise<void> {
    for await (const event of this.#fake.session.followers.follow({ frames })) {
      if (event.type === 'frame') this.#draw(event)
      else this.others.push(event)
    }
    this.isOver = true
  }

  #draw(frame: Frame): void {
    this.frames.push(frame)
    this.above.push(...(frame.above ?? []).map(withoutStyle))
    if (frame.isWhole) this.rows = []
    for (const [row, text] of frame.rows) this.rows[row] = text
  }

  /** Waits until everything is on the screen, and until every frame has come. */
  async settle(): Promise<this> {
    await this.#fake.session.screen()
    for (let round = 0; round < 10; round++) {
      for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
      this.#fake.clock.advance(20)
    }
    return this
  }

  get last(): Frame {
    const frame = this.frames.at(-1)
    assert.ok(frame)
    return frame
  }
}

const withoutStyle = (row: string) => row.replaceAll('\x1b[0m', '')

const open = (size: Size = { cols: 20, rows: 5 }) => openFakeSession({ size })

test('what is there comes first, then only the rows that changed', async () => {
  const fake = open()
  fake.pty.prints('one\r\ntwo\r\n')
  const watcher = await new Watcher(fake, { cols: 80, rows: 24 }).settle()
  expect(watcher.frames).toMatchObject([
    {
      isWhole: true,
      rows: [
        [0, '\x1b[0mone'],
        [1, '\x1b[0mtwo'],
      ],
    },
  ])
  fake.pty.prints('three')
  await watcher.settle()
  expect(watcher.last).toMatchObject({ isWhole: false, rows: [[2, '\x1b[0mthree']], cursor: { row: 2, col: 5 } })
})

test('a watcher sees the last of many simultaneous changes', async () => {
  const fake = open()
  const watcher = await new Watcher(fake, { cols: 20, rows: 5 }).settle()
  for (let at = 0; at < 500; at++) fake.pty.prints(`\r${at}`)
  await watcher.settle()
  assert.ok(watcher.frames.length < 5, `${watcher.frames.length} frames`)
  assert.deepEqual(watcher.rows, ['\x1b[0m499'])
})

test('a window that is smaller than the screen follows the cursor, and cuts no wide character in half', async () => {
  const fake = open({ cols: 20, rows: 10 })
  const watcher = await new Watcher(fake, { cols: 5, rows: 3 }).settle()
  fake.pty.prints('\x1b[8;4H漢字漢字x')
  await watcher.settle()
  // The cursor is at row 7, column 12: the window ends there.
  expect(watcher.last).toMatchObject({ top: 5, left: 8, cursor: { row: 2, col: 4 }, isWhole: true })
  assert.equal(watcher.rows[2], '\x1b[0m 字x')
})

test('another size of the screen is sent, and nothing else that was drawn holds then', async () => {
  const fake = open()
  fake.pty.prints('text')
  const watcher = await new Watcher(fake, { cols: 80, rows: 24 }).settle()
  await fake.session.resize({ cols: 30, rows: 6 })
  await watcher.settle()
  expect(watcher.last).toMatchObject({ size: { cols: 30, rows: 6 }, isWhole: true, rows: [[0, '\x1b[0mtext']] })
})

test('modes that change what the keyboard and the mouse send are in the frame', async () => {
  const fake = open()
  fake.pty.prints('\x1b[?1002;1006h\x1b[?2004h\x1b[?25l\x1b]2;title\x07')
  const watcher = await new Watcher(fake, { cols: 20, rows: 5 }).settle()
  expect(watcher.last).toMatchObject({ modes: [2004, 1002, 1006], cursor: null, title: 'title' })
  fake.pty.prints('\x1b[?1006l')
  await watcher.settle()
  expect(watcher.last).toMatchObject({ modes: [2004, 1002], rows: [] })
})

test('a frame reports the alternate screen, and its end', async () => {
  const fake = open()
  fake.pty.prints('\x1b[?1049h')
  const watcher = await new Watcher(fake, { cols: 20, rows: 5 }).settle()
  expect(watcher.last).toMatchObject({ isAlternate: true })
  fake.pty.prints('\x1b[?1049l')
  await watcher.settle()
  expect(watcher.last).not.toHaveProperty('isAlternate')
})

test('the end comes after the last frame', async () => {
  const fake = open()
  const watcher = await new Watcher(fake, { cols: 20, rows: 5 }).settle()
  fake.pty.prints('bye')
  fake.pty.exits({ code: 3, signal: null })
  await watcher.settle()
  assert.deepEqual([watcher.rows, watcher.isOver], [['\x1b[0mbye'], true])
  expect(watcher.others).toEqual([{ type: 'exit', exit: { code: 3, signal: null } }])
})

test('drawn frame by frame, the window shows the same as drawn in one step', async () => {
  const piece = fc.oneof(
    fc.string({
      unit: fc.constantFrom('a', 'b ', '漢', '\r\n', '\x1b[31m', '\x1b[0m', '\x1b[K', '\x1b[2J', '\x1b[A', '\t'),
    }),
    fc.tuple(fc.nat(9), fc.nat(19)).map(([row, col]) => `\x1b[${row + 1};${col + 1}H`),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), fc.nat(25), fc.nat(12), async (pieces, cols, rows) => {
      const fake = open({ cols: 20, rows: 10 })
      const window = { cols: cols + 1, rows: rows + 1 }
      const watcher = new Watcher(fake, window)
      for (const text of pieces) {
        fake.pty.prints(text)
        await watcher.settle()
      }
      const screen = await fake.session.screen()
      await watcher.settle()
      const { top = 0, left = 0 } = watcher.frames.at(-1) ?? {}
      const want = screen.drawWindow({ top, left, ...window })
      assert.deepEqual(
        want.map((_, row) => watcher.rows[row] ?? ''),
        want,
      )
    }),
    { numRuns: 60 },
  )
})

test('rows that pass above a window come once each, whatever the pieces, and none of an alternate screen', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 12 }), async (pieces) => {
      const fake = open()
      const lines: string[] = []
      const print = (count: number) => {
        const added = Array.from({ length: count }, (_, at) => `line ${lines.length + at}`)
        lines.push(...added)
        fake.pty.prints(added.map((line) => `${line}\r\n`).join(''))
      }
      print(7)
      const watcher = await new Watcher(fake, { cols: 20, rows: 3, above: true }).settle()
      for (const count of pieces) {
        print(count)
        await watcher.settle()
        fake.pty.prints(`\x1b[?1049hfull screen${'\r\n'.repeat(9)}\x1b[?1049l`)
        await watcher.settle()
      }
      expect([...watcher.above, ...watcher.rows.map(withoutStyle).filter((row) => row !== '')]).toEqual(lines)
    }),
    { numRuns: 20 },
  )
})

test('after a reset of the terminal the rows that pass come again from its first on', async () => {
  const fake = open()
  fake.pty.prints('old\r\n'.repeat(30))
  const watcher = await new Watcher(fake, { cols: 20, rows: 3, above: true }).settle()
  const before = watcher.above.length
  fake.pty.prints('\x1bcnew 0\r\n')
  await watcher.settle()
  fake.pty.prints(Array.from({ length: 8 }, (_, at) => `new ${at + 1}\r\n`).join(''))
  await watcher.settle()
  expect(watcher.above.slice(before)).toEqual(['new 0', 'new 1', 'new 2', 'new 3', 'new 4', 'new 5', 'new 6'])
})

test('rows include hyperlinks if the follower asks for them, also those that have passed above the window', async () => {
  const fake = open({ cols: 20, rows: 2 })
  fake.pty.prints(
    '\x1b]8;;https://x.example/\x07docs\x1b]8;;\x07 \x1b]8;id=1;https://y.example/\x07a\x1b[1mb\r\nc\x1b]8;;\x07\r\nlast',
  )
  const linked = await new Watcher(fake, { cols: 20, rows: 2, above: true, links: true }).settle()
  const unlinked = await new Watcher(fake, { cols: 20, rows: 2 }).settle()
  expect(linked.above).toEqual([
    '\x1b]8;;https://x.example/\x07\x1b[0;4mdocs\x1b]8;;\x07 \x1b]8;;https://y.example/\x07\x1b[0;4ma\x1b[0;1;4mb\x1b]8;;\x07',
  ])
  expect(linked.rows[0]).toBe('\x1b]8;;https://y.example/\x07\x1b[0;1;4mc\x1b]8;;\x07')
  expect(unlinked.rows.join('')).not.toContain(']8;')
})

test('a hyperlink that reaches the edge of the window ends with its row', async () => {
  const fake = open({ cols: 8, rows: 2 })
  fake.pty.prints('\x1b]8;;https://x.example/\x07abcdefgh\x1b]8;;\x07')
  const { rows } = await new Watcher(fake, { cols: 4, rows: 2, isPinned: true, links: true }).settle()
  expect(rows[0]).toBe('\x1b]8;;https://x.example/\x07\x1b[0;4mabcd\x1b]8;;\x07')
})

test('secrets in the targets of hyperlinks are hidden', async () => {
  const fake = open()
  fake.pty.prints('\x1b]8;;https://x.example/?key=blue\x07docs\x1b]8;;\x07')
  const hides = { masked: (text: unknown) => String(text).replaceAll('blue', '****') } as SecretValues
  const rows: string[] = []
  const over = new AbortController()
  const following = (async () => {
    const frames = { cols: 20, rows: 5, links: true }
    for await (const event of fake.session.followers.follow({ frames, hides, signal: over.signal }))
      if (event.type === 'frame') rows.push(...event.rows.map(([, text]) => text))
  })()
  await fake.session.screen()
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
  over.abort()
  await following
  expect(rows).toEqual(['\x1b]8;;https://x.example/?key=****\x07\x1b[0;4mdocs\x1b]8;;\x07'])
})
