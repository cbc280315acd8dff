/** The bounds on what programs can make the emulator do or keep. */

import assert from 'node:assert/strict'
import { clusterCharactersMax, sequenceStringBytesMax } from '@agentpty/protocol'
import { type Dropped, noneDropped } from '@agentpty/protocol/session'
import { expect, test } from 'vitest'
import { linkCharactersMax } from './links.ts'
import { Screen } from './screen.ts'

async function screenAfter(...pieces: readonly string[]) {
  const screen = new Screen({ cols: 40, rows: 4, scrollbackRows: 10, offset: 0, version: '', onReply: () => undefined })
  for (const piece of pieces) await new Promise<void>((resolve) => screen.feed(Buffer.from(piece), resolve))
  return screen.snapshot()
}

test('a character keeps as many marks as any that is meant, and no more', async () => {
  const marks = (count: number) => `e${'\u0301'.repeat(count)}`
  const { text } = await screenAfter(`${marks(10)} ${marks(10_000)}x`)
  assert.equal(text[0], `${marks(10)} ${marks(clusterCharactersMax - 1)}x`)
})

test('the longest emoji is whole', async () => {
  const kiss = '\u{1f9d1}\u{1f3fb}\u200d\u2764\ufe0f\u200d\u{1f48b}\u200d\u{1f9d1}\u{1f3fc}'
  assert.equal((await screenAfter(kiss)).text[0], kiss)
})

test('the text of links is shown', async () => {
  const link = (text: string) => `\x1b]8;;http://example.org/${text}\x1b\\${text}\x1b]8;;\x1b\\`
  assert.equal((await screenAfter(`${link('one')} ${link('two')}`)).text[0], 'one two')
})

test('a title without end is cut, and what follows it is shown', async () => {
  const pieces = Array.from({ length: 100 }, () => 'x'.repeat(16_384))
  const { title, text } = await screenAfter('\x1b]2;', ...pieces, 'end\x07shown')
  expect(title.length).toBeLessThan(2 * sequenceStringBytesMax)
  assert.equal(text[0], 'shown')
})

test('what is left out is counted for the screen that it was meant for', async () => {
  const dropped = noneDropped()
  const other = noneDropped()
  const open = (to: Dropped) =>
    new Screen({ cols: 40, rows: 4, scrollbackRows: 10, offset: 0, version: '', onReply: () => undefined, dropped: to })
  const screens = [open(dropped), open(other)]
  const link = `\x1b]8;;http://example.org/${'x'.repeat(linkCharactersMax)}\x07text\x1b]8;;\x07`
  const output = `e${'\u0301'.repeat(clusterCharactersMax + 9)}${link}${link}\x1b[9999L`
  const title = ['\x1b]2;', 'x'.repeat(sequenceStringBytesMax + 7), '\x07']
  const feed = (at: number, text: string) =>
    new Promise<void>((resolve) => screens[at]?.feed(Buffer.from(text), resolve))
  const feeding = feed(0, output)
  await feed(1, 'e\u0301 and nothing else')
  await feeding
  for (const piece of title) await feed(0, piece)
  assert.deepEqual(dropped, { ...noneDropped(), characters: 10, links: 2, repeats: 1, stringBytes: 7 })
  assert.deepEqual(other, noneDropped())
})

test('erasing up to a cursor that waits to wrap on the last row erases all, and nothing ends', async () => {
  const { text, cursor } = await screenAfter(`top\x1b[4;1H${'x'.repeat(40)}\x1b[1J!`)
  expect([text, cursor]).toEqual([['', '', '', '!'], { row: 3, col: 1, visible: true }])
})
