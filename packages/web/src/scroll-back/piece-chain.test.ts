import { expect, test } from 'vitest'
import { type Piece, PieceChain } from './piece-chain.ts'

/** A piece whose lines have 10 bytes and a row each. */
const piece = (from: number, lines: number): Piece => {
  const offsets = Array.from({ length: lines }, (_, at) => from + at * 10)
  return { from, next: from + lines * 10, rows: offsets.map((offset) => `row ${offset}`), offsets }
}

test('rows are found across pieces, by number and by offset', () => {
  const chain = new PieceChain()
  chain.append(piece(100, 5))
  chain.append(piece(150, 5))
  expect(chain.prepend(piece(50, 5))).toBe(5)
  expect([chain.from, chain.next, chain.rowCount]).toEqual([50, 200, 15])
  expect(chain.rowsFrom(4, 3)).toEqual(['row 90', 'row 100', 'row 110'])
  expect(chain.rowsFrom(13, 5)).toEqual(['row 180', 'row 190'])
  expect([chain.offsetOf(0), chain.offsetOf(10), chain.offsetOf(20)]).toEqual([50, 150, 200])
  expect([chain.rowOf(50), chain.rowOf(155), chain.rowOf(0), chain.rowOf(500)]).toEqual([0, 10, 0, 15])
})

test('an offset leads to the first row of its line, also where the line has several rows', () => {
  const chain = new PieceChain()
  chain.append({ from: 0, next: 40, rows: ['a', 'b', 'b', 'b'], offsets: [0, 10, 10, 10] })
  expect([chain.rowOf(10), chain.rowOf(25)]).toEqual([1, 1])
})

test('a piece without rows, as of a full-screen program, is passed over', () => {
  const chain = new PieceChain()
  chain.append(piece(0, 2))
  chain.append({ from: 20, next: 9_000, rows: [], offsets: [] })
  chain.append(piece(9_000, 2))
  expect(chain.rowsFrom(1, 2)).toEqual(['row 10', 'row 9000'])
  expect([chain.rowOf(500), chain.rowOf(9_010)]).toEqual([2, 3])
})

test('the number of rows is bounded, at the end that is not added to', () => {
  const chain = new PieceChain()
  let dropped = 0
  for (let at = 0; at < 100; at++) dropped += chain.append(piece(at * 10_000, 1_000))
  expect(chain.rowCount).toBe(100_000 - dropped)
  expect(chain.rowCount).toBeLessThanOrEqual(6_000)
  expect(chain.from).toBe(dropped * 10)
  for (let at = dropped / 1_000 - 1; at >= 0; at--) chain.prepend(piece(at * 10_000, 1_000))
  expect(chain.rowCount).toBeLessThanOrEqual(6_000)
  expect(chain.from).toBe(0)
})

test('the pieces around an added one stay, however many rows they have', () => {
  const chain = new PieceChain()
  chain.append(piece(50_000, 5_000))
  chain.prepend(piece(0, 5_000))
  expect([chain.from, chain.next]).toEqual([0, 100_000])
})
