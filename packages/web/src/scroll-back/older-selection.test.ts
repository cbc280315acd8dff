import { expect, test } from 'vitest'
import { placeAt, readSelection, selectionOf, visiblePart } from './older-selection.ts'
import type { ReadPiece } from './output-window.ts'
import { PieceChain } from './piece-chain.ts'

/** Lines of 10 bytes and of one row each, but the third one wraps into two rows. */
const piece: ReadPiece = {
  from: 0,
  next: 40,
  start: 0,
  end: 40,
  rows: ['\x1b[31mfirst\x1b[m line', 'second  ', '第三行 wraps', ' around', 'last'],
  offsets: [0, 10, 20, 20, 30],
}

function chained(): PieceChain {
  const chain = new PieceChain()
  chain.append(piece)
  return chain
}

/** Selects from a cell of one row to a cell of another. */
async function selected(one: readonly [number, number], other: readonly [number, number]): Promise<string> {
  const chain = chained()
  const selection = selectionOf(placeAt(chain, ...one), placeAt(chain, ...other))
  if (selection === null) return ''
  const { text } = await readSelection(selection, async () => piece)
  return text
}

test.each([
  ['a part of a row', [0, 2], [0, 5], 'rst'],
  ['rows upwards', [1, 3], [0, 6], 'line\nsec'],
  ['no cell', [1, 3], [1, 3], ''],
  ['wide characters', [2, 2], [2, 6], '三行'],
  ['a line that wraps', [2, 7], [3, 7], 'wraps around'],
  ['the second row of a line alone', [3, 1], [3, 4], 'aro'],
  ['all rows, without blanks at their ends', [0, 0], [4, 4], 'first line\nsecond\n第三行 wraps around\nlast'],
] as const)('%s', async (_, one, other, expected) => {
  expect(await selected(one, other)).toBe(expected)
})

test('the text is read piece by piece, and a selection that is too long is cut', async () => {
  const line = (since: number): ReadPiece => ({
    from: since,
    next: since + 10,
    start: 0,
    end: 100_000,
    rows: [`line ${since / 10}`],
    offsets: [since],
  })
  const to = (offset: number) => ({ from: { offset: 0, row: 0, col: 0 }, to: { offset, row: 0, col: 4 } })
  expect(await readSelection(to(20), async (since) => line(since))).toEqual({
    text: 'line 0\nline 1\nline',
    isCut: false,
  })
  const { text, isCut } = await readSelection(to(99_990), async (since) => line(since))
  expect([text.split('\n').length, isCut]).toEqual([500, true])
})

test.each([
  [0, { row: 0, col: 2, length: 3 * 20 - 2 + 5 }],
  [1, { row: 0, col: 0, length: 2 * 20 + 5 }],
  [3, { row: 0, col: 0, length: 5 }],
  [4, null],
])('from row %d on, the visible part of a selection is marked', (top, expected) => {
  const chain = chained()
  const selection = selectionOf(placeAt(chain, 0, 2), placeAt(chain, 3, 5))
  if (selection === null) throw new Error('Nothing is selected.')
  expect(visiblePart(chain, selection, { top, rows: 4, cols: 20 })).toEqual(expected)
})
