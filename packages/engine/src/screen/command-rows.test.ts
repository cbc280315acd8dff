import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { overwritten } from './command-rows.ts'
import { Screen } from './screen.ts'

const lengthOf = (output: string) => overwritten(Buffer.from(output))?.bytes ?? 0

test('everything before the last reset is passed over', () => {
  const output = '\x1bcsome text\x1b[31m'.repeat(1_000)
  assert.equal(lengthOf(output), output.lastIndexOf('\x1bc'))
})

test.each<[string, string]>([
  ['a title without an end', '\x1b]2;title\x1bc'],
  ['a title with an 8-bit control', '\x1b]2;\u009b\x07\x1bc'],
  ['a title that is very long', `\x1b]2;${'long'.repeat(1_025)}\x07\x1bc`],
  ['a question, which wants an answer', '\x1bc\x1b[c'],
  ['a title that is kept', '\x1bc\x1b[22t'],
  ['little output', '\x1bc'],
])('%s is not passed over', (_what, piece) => {
  assert.equal(lengthOf(piece.repeat(piece === '\x1bc' ? 100 : 1_000)) < 1_024, true)
})

test('of titles before a reset the last one is left', () => {
  const output = Array.from({ length: 1_000 }, (_, at) => `\x1b]${at % 2 === 0 ? 0 : 2};title ${at}\x07\x1bc`).join('')
  assert.deepEqual(overwritten(Buffer.from(output)), { bytes: output.length - 2, residue: '\x1b]2;title 999\x07' })
})

test.each<[string, string]>([
  ['screens of E', '\x1b#8'],
  ['clears', '\x1b[H\x1b[2J'],
  ['visits of the alternate screen', '\x1b[?1049hdrawn there\r\n\x1b[?1049l'],
])('of %s in a row the last is left', (_what, piece) => {
  assert.equal(lengthOf(piece.repeat(1_000)), piece.length * 999)
})

function open() {
  return new Screen({ cols: 20, rows: 5, scrollbackRows: 20, offset: 0, version: '', onReply: () => undefined })
}

const play = (screen: Screen, bytes: Uint8Array) =>
  new Promise<void>((resolve) => (bytes.length === 0 ? resolve() : screen.feed(bytes, resolve)))

const before = fc.array(
  fc.constantFrom(
    'text',
    '\r\n',
    '\x1b[31m',
    '\x1b[?1049h',
    '\x1b7',
    '\x1b[3;4H',
    '\x1b]2;title\x07',
    '\x1b[4h',
    '\x1b[2;3r',
    '\x0e',
  ),
  { maxLength: 12 },
)
const repeated = fc.constantFrom(
  ...[
    '\x1bc',
    '\x1bcleft',
    '\x1b]2;title\x07\x1bc',
    '\x1bcleft\x1b]0;né漢\x1b\\\x1b]1;icon\x07text\x1b]2;second\x07',
    '\x1b#8',
    '\x1b[2J',
    '\x1b[H\x1b[2J',
    '\x1b[?1049h\x1b[?1049l',
    '\x1b[?1049hx\r\ny\x1b[?1049l',
  ],
)

test('a screen that passes over them shows what one that plays them shows', async () => {
  await fc.assert(
    fc.asyncProperty(before, repeated, before, async (first, piece, last) => {
      const passing = open()
      const playing = open()
      const head = Buffer.from(first.join(''))
      const rest = Buffer.from(piece.repeat(400) + last.join(''))
      await play(passing, head)
      await play(playing, Buffer.concat([head, rest]))
      const passed = passing.skim(rest)
      await play(passing, rest.subarray(passed))
      assert.deepEqual(passing.snapshot(), playing.snapshot())
      assert.deepEqual(passing.scrollbackText(20), playing.scrollbackText(20))
      assert.equal(passing.toAnsi(), playing.toAnsi())
      await play(passing, Buffer.from('\x1b[2Bafter'))
      await play(playing, Buffer.from('\x1b[2Bafter'))
      assert.equal(passing.toAnsi(), playing.toAnsi())
      for (const screen of [passing, playing]) screen.dispose()
    }),
    { numRuns: 60 },
  )
})
