import type { Size } from '@agentpty/protocol'
import { FakeClock } from '@agentpty/protocol/testing'
import { expect, test } from 'vitest'
import { KeptSize } from './kept-size.ts'

const sizeOf = (words: string): Size => {
  const [cols = 0, rows = 0] = words.split('×').map(Number)
  return { cols, rows }
}

function keeping(before: string) {
  const clock = new FakeClock()
  const asked: string[] = []
  let takenTimes = 0
  const kept = new KeptSize({
    clock,
    before: sizeOf(before),
    resize: ({ cols, rows }) => void asked.push(`${cols}×${rows}`),
    taken: () => takenTimes++,
  })
  return {
    asked,
    kept,
    taken: () => takenTimes,
    wants(size: string, thenMs = 1_000) {
      kept.wanted(sizeOf(size))
      clock.advance(thenMs)
    },
    sees: (size: string) => kept.seen(sizeOf(size)),
  }
}

test('it is made as large as the room, and given back as it was', () => {
  const { kept, asked, wants, sees } = keeping('120×30')
  wants('90×40', 0)
  sees('90×40')
  kept.end()
  expect(asked).toEqual(['90×40', '120×30'])
})

test('while the room changes nothing is asked, and then once', () => {
  const { asked, wants } = keeping('120×30')
  wants('90×40')
  for (const size of ['91×40', '92×40', '93×41']) wants(size, 100)
  expect(asked).toEqual(['90×40'])
  wants('94×42')
  expect(asked).toEqual(['90×40', '94×42'])
})

test('a room of the same size asks for nothing', () => {
  const { asked, wants } = keeping('120×30')
  wants('90×40')
  wants('95×40', 100)
  wants('90×40')
  expect(asked).toEqual(['90×40'])
})

test('whoever gives it another size has it: nothing is asked and nothing is given back any more', () => {
  const { kept, asked, taken, wants, sees } = keeping('120×30')
  wants('90×40')
  sees('90×40')
  sees('80×24')
  wants('95×40')
  kept.end()
  expect([asked, taken()]).toEqual([['90×40'], 1])
})

test('what comes late of what was asked for is nobody else’s', () => {
  const { kept, asked, taken, wants, sees } = keeping('120×30')
  wants('90×40')
  sees('120×30')
  wants('95×40')
  for (const size of ['90×40', '95×40']) sees(size)
  kept.end()
  expect([asked, taken()]).toEqual([['90×40', '95×40', '120×30'], 0])
})

test('one that had the size already is not touched', () => {
  const { kept, asked, wants } = keeping('90×40')
  wants('90×40')
  kept.end()
  expect(asked).toEqual(['90×40'])
})

test('what was not asked for yet when it ended is not asked for', () => {
  const { kept, asked, wants } = keeping('120×30')
  wants('90×40')
  wants('95×40', 100)
  kept.end()
  wants('96×40')
  expect(asked).toEqual(['90×40', '120×30'])
})
