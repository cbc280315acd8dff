import { expect, test } from 'vitest'
import { dueNeeds } from './overview.ts'
import { needWith } from './overview-fixture.ts'

test('a need is sent to a person once, after ten seconds', () => {
  const needs = [needWith('old', { since: 0 }), needWith('sent', { since: 0 }), needWith('new', { since: 5_000 })]
  expect(dueNeeds(needs, new Set(['sent']), 12_000).map(({ needId }) => needId)).toEqual(['old'])
})
