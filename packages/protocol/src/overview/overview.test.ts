import { expect, test } from 'vitest'
import { dueNeeds } from './overview.ts'
import { needWith } from './overview-fixture.ts'

test('a person is told of what has waited for ten seconds, once', () => {
  const needs = [needWith('old', { since: 0 }), needWith('told', { since: 0 }), needWith('new', { since: 5_000 })]
  expect(dueNeeds(needs, new Set(['told']), 12_000).map(({ needId }) => needId)).toEqual(['old'])
})
