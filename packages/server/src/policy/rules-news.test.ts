import { policyNewsMs } from '@agentpty/protocol'
import { FakeClock } from '@agentpty/protocol/testing'
import { noRules, type PolicyRules } from '@agentpty/shell-policy'
import { expect, test } from 'vitest'
import { RulesNews } from './rules-news.ts'

function openNews() {
  const clock = new FakeClock()
  const rules = new Map<string, PolicyRules>()
  const news = new RulesNews({ clock, rulesFor: ([folder = '']) => rules.get(folder) ?? noRules })
  return { clock, news, change: (folder: string) => void rules.set(folder, { ...noRules }) }
}

test('a listener is notified once of a change in its folder', () => {
  const { clock, news, change } = openNews()
  const notified: string[] = []
  for (const folder of ['/a', '/b']) news.watch(folder, () => void notified.push(folder))
  clock.advance(policyNewsMs)
  expect(notified).toEqual([])
  change('/b')
  clock.advance(3 * policyNewsMs)
  expect(notified).toEqual(['/b'])
  change('/b')
  clock.advance(policyNewsMs)
  expect(notified).toEqual(['/b', '/b'])
})

test('files are checked only while there is a listener', () => {
  const { clock, news, change } = openNews()
  let notified = 0
  const stops = ['/a', '/b'].map((folder) => news.watch(folder, () => void notified++))
  expect(clock.pending).toBe(1)
  for (const stop of stops) stop()
  expect(clock.pending).toBe(0)
  change('/a')
  clock.advance(policyNewsMs)
  expect(notified).toBe(0)
})

test('a listener that stops while others are notified is not notified any more', () => {
  const { clock, news, change } = openNews()
  const notified: string[] = []
  const stopLast = { call: () => {} }
  news.watch('/a', () => {
    notified.push('first')
    stopLast.call()
  })
  stopLast.call = news.watch('/a', () => void notified.push('last'))
  change('/a')
  clock.advance(policyNewsMs)
  expect(notified).toEqual(['first'])
})
