import type { Size } from '@agentpty/protocol'
import { FakeClock } from '@agentpty/protocol/testing'
import { expect, test } from 'vitest'
import { FittedSize } from './fitted-size.ts'

const sizeOf = (words: string): Size => {
  const [cols = 0, rows = 0] = words.split('×').map(Number)
  return { cols, rows }
}

function keeping(before: string) {
  const clock = new FakeClock()
  const asked: string[] = []
  let takenTimes = 0
  const fitted = new FittedSize({
    clock,
    before: sizeOf(before),
    resize: ({ cols, rows }) => void asked.push(`${cols}×${rows}`),
    taken: () => takenTimes++,
  })
  return {
    asked,
    fitted,
    taken: () => takenTimes,
    wants(size: string, thenMs = 1_000) {
      fitted.wanted(sizeOf(size))
      clock.advance(thenMs)
    },
    sees: (size: string) => fitted.seen(sizeOf(size)),
  }
}

test('fits the view and restores the size at the end', () => {
  const { fitted, asked, wants, sees } = keeping('120×30')
  wants('90×40', 0)
  sees('90×40')
  fitted.end()
  expect(asked).toEqual(['90×40', '120×30'])
})

test('requests one resize after the view stops changing', () => {
  const { asked, wants } = keeping('120×30')
  wants('90×40')
  for (const size of ['91×40', '92×40', '93×41']) wants(size, 100)
  expect(asked).toEqual(['90×40'])
  wants('94×42')
  expect(asked).toEqual(['90×40', '94×42'])
})

test('a view of unchanged size requests nothing', () => {
  const { asked, wants } = keeping('120×30')
  wants('90×40')
  wants('95×40', 100)
  wants('90×40')
  expect(asked).toEqual(['90×40'])
})

test('ends without restoring after another viewer has set a size', () => {
  const { fitted, asked, taken, wants, sees } = keeping('120×30')
  wants('90×40')
  sees('90×40')
  sees('80×24')
  wants('95×40')
  fitted.end()
  expect([asked, taken()]).toEqual([['90×40'], 1])
})

test('late reports of requested sizes do not count as another viewer’s', () => {
  const { fitted, asked, taken, wants, sees } = keeping('120×30')
  wants('90×40')
  sees('120×30')
  wants('95×40')
  for (const size of ['90×40', '95×40']) sees(size)
  fitted.end()
  expect([asked, taken()]).toEqual([['90×40', '95×40', '120×30'], 0])
})

test('a screen that already has the size is not resized again', () => {
  const { fitted, asked, wants } = keeping('90×40')
  wants('90×40')
  fitted.end()
  expect(asked).toEqual(['90×40'])
})

test('a pending resize is dropped at the end', () => {
  const { fitted, asked, wants } = keeping('120×30')
  wants('90×40')
  wants('95×40', 100)
  fitted.end()
  wants('96×40')
  expect(asked).toEqual(['90×40', '120×30'])
})
