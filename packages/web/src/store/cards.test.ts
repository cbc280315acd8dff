import { steadyMs } from '@agentpty/protocol/needs'
import { exampleApproval, needWith } from '@agentpty/protocol/testing'
import { expect, test } from 'vitest'
import { type Card, cardsAfter, farewellWords, Steady } from './cards.ts'

const first = needWith('1')
const second = needWith('2')
const third = needWith('3')
const open = (need: Card['need']): Card => ({ need, state: 'open' })

test('a card answered elsewhere keeps its position, and a new card is added at the end', () => {
  expect(cardsAfter([open(first), open(second)], [second, third])).toEqual([
    { need: first, state: 'gone' },
    open(second),
    open(third),
  ])
})

test('a card answered here keeps showing its answer', () => {
  const answered: Card = { need: first, state: { answered: 'Denied.' } }
  expect(cardsAfter([answered], [])).toEqual([answered])
  expect(farewellWords(answered, undefined)).toBe('Denied.')
})

test('an approval answered by another person shows their name', () => {
  const gone: Card = { need: needWith('ap-3', { kind: 'approval' }), state: 'gone' }
  const denied = { ...exampleApproval, state: 'denied' as const, answeredBy: 'page (Firefox)' }
  expect(farewellWords(gone, denied)).toBe('Already denied by page (Firefox).')
})

test('a card that just appeared, moved or changed its question cannot be answered', () => {
  const steady = new Steady()
  const at = (place: string, now: number) => {
    steady.note([['1', place]], now)
    return steady.isSteady('1', now)
  }
  expect([at('top', 0), at('top', steadyMs - 1), at('top', steadyMs)]).toEqual([false, false, true])
  expect([at('lower', 1_000), at('lower', 1_000 + steadyMs)]).toEqual([false, true])
  expect(steady.isSteady('unknown', 9_999)).toBe(false)
})
