import { expect, test } from 'vitest'
import { writePage } from './page.mjs'

const pick = ({ values }) => ({ values })
const rows = [{ scenario: 'echo', title: 'echo, ms', pick, goals: { agentpty: { p50: 1 } } }]
const machine = { node: 'v20', system: 'Linux', kernel: '6.1', cpus: 2, cpuModel: 'a | b', memoryGb: 4 }

const record = (values, more = {}) => ({
  ...machine,
  startedAt: '2026-01-02T03:04:05.000Z',
  results: [{ peer: 'agentpty', scenario: 'echo', load: '0.40 0 0', tookMs: 1_250, result: { values } }],
  ...more,
})

test('runs of several files are one table, with what was missed and the load of each', () => {
  const page = writePage({ rows, records: [record([1]), record([4, 5])] })
  expect(page).toContain('0 of 1 goals met')
  expect(page).toContain('| echo, ms | 4 / 5 | p50 ≤ 1 | MISSED 4.00× | 0.4 |')
  expect(page).toContain('## Goals missed\n\n* agentpty, echo, ms: 4 / 5')
  expect(page).toContain('| echo | agentpty | 2 | -, - | 0.40, 0.40 | 1.3, 1.3 |')
})

test('a page without misses has no section for them', () => {
  expect(writePage({ rows, records: [record([1])] })).not.toContain('## Goals missed')
})

test('numbers of two machines are not put into one table', () => {
  expect(() => writePage({ rows, records: [record([1]), record([1], { cpus: 64 })] })).toThrow('different machines')
})
