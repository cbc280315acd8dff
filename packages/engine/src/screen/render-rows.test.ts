import assert from 'node:assert/strict'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainRows, renderRows } from './render-rows.ts'
import { openTerminal, styledRuns, writeAtOnce } from './terminal.ts'

const bytes = (source: string): Uint8Array => Buffer.from(source)
const rowsOf = (source: string, { cols = 10, before = '', isAlternate = false } = {}) =>
  renderRows(bytes(source), { cols, before: bytes(before), isAlternate })
const textsOf = async (source: string, options = {}) => (await rowsOf(source, options)).map(({ text }) => text)

/** Draws each row alone, as a view does, and returns the cells with their styles. */
function drawn(rows: readonly { readonly styled: string }[], cols: number) {
  const terminal = openTerminal({ cols, rows: 2, scrollbackRows: 0 })
  return rows.map(({ styled }) => {
    writeAtOnce(terminal, bytes(`\x1bc\x1b[?7l${styled}`))
    const line = terminal.buffer.active.getLine(0)
    return line === undefined ? [] : styledRuns(line)
  })
}

test('a line that is wider than the terminal is cut at the width, and its rows have the offset of the line', async () => {
  const rows = await rowsOf('one\r\nabcdefghijklmno\r\nend')
  expect(rows.map(({ text, offset, isWrapped }) => [text, offset, isWrapped])).toEqual([
    ['one', 0, false],
    ['abcdefghij', 5, false],
    ['klmno', 5, true],
    ['end', 22, false],
  ])
})

test('colours go on over lines and rows, and those from before the piece are in force', async () => {
  const [first, second, third] = await rowsOf('red\r\nabcdefghijk\r\n', { before: '\x1b[32mgreen\x1b[0m\x1b[31m' })
  expect([first, second, third].map((row) => row?.styled)).toEqual([
    '\x1b[0m\x1b[31mred',
    '\x1b[0m\x1b[31mabcdefghij',
    '\x1b[0m\x1b[31mk',
  ])
})

test('wide characters and redrawn lines are those of an emulator', async () => {
  expect(await textsOf('10%\r99%\r\n漢字漢字漢字\r\n')).toEqual(['99%', '漢字漢字漢', '字'])
  const [row] = await rowsOf('\x1b[31mré\x1b[0md\r\n')
  expect(drawn(row === undefined ? [] : [row], 10)[0]?.[0]).toMatchObject({ text: 'ré', style: { foreground: 1 } })
})

test('a background without text is kept', async () => {
  const [row] = await rowsOf('\x1b[44m\x1b[K\x1b[0m\r\n')
  expect(drawn(row === undefined ? [] : [row], 10)[0]?.[0]?.style.background).toBe(4)
})

test('the alternate screen has no rows, whether it begins in the piece or before it', async () => {
  expect(await textsOf('a\r\n\x1b[?1049hvim\r\nx\x1b[?1049lb\r\n')).toEqual(['a', 'b'])
  expect(await textsOf('vim\r\nx\x1b[?1049lb\r\n', { isAlternate: true })).toEqual(['b'])
  expect(await textsOf('vim\r\nx', { isAlternate: true })).toEqual([])
})

test('titles, links and marks are left out', async () => {
  const [row] = await rowsOf('\x1b]133;C\x07\x1b]8;;http://x\x1b\\here\x1b]8;;\x1b\\\r\n')
  expect(row?.styled).toBe('here')
})

test('rows without an emulator are those of an emulator', async () => {
  const part = fc.oneof(
    fc.constantFrom('\r\n', '\n', '\t', '\x1b[31m', '\x1b[1;44m', '\x1b[0m', '\x1b[m', '\x07', ' '),
    fc.stringMatching(/^[ -~]{0,14}$/),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 12 }), async (parts) => {
      const source = `${parts.join('')}\r\n`
      const plain = plainRows(bytes(source), 10, '')
      if (plain === null) return
      // Erasing what is empty changes nothing, but needs an emulator.
      const scratch = await rowsOf(`${source}\x1b[m\x1b[J`)
      const bare = (rows: typeof plain) => rows.map(({ text, isWrapped }) => ({ text, isWrapped }))
      assert.deepEqual(bare(plain), bare(scratch))
      assert.deepEqual(drawn(plain, 10), drawn(scratch, 10))
    }),
    { numRuns: 200 },
  )
})
