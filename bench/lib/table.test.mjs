import { describe, expect, test } from 'vitest'
import { rows } from '../goals.mjs'
import { makeTable } from './table.mjs'

const times = ({ values }) => ({ values })
const row = (pick, goal) => ({ scenario: 'echo', title: 'echo, ms', pick, goals: { agentpty: goal } })
const ran = (result, { peer = 'agentpty', scenario = 'echo', load = '0.10 0.20 0.30' } = {}) => ({
  peer,
  scenario,
  load,
  result,
})
const table = (rowsOf, results, peers = ['agentpty']) => makeTable({ rows: rowsOf, results, peers })

describe('what a cell says', () => {
  test('repetitions of times are pooled before percentiles are taken', () => {
    const { cells } = table([row(times, { p50: 5 })], [ran({ values: [1, 2] }), ran({ values: [30] })])
    expect(cells[1]).toEqual(['echo, ms', '2 / 30', 'p50 ≤ 5', 'met 0.40×', '0.1'])
  })

  test('counts of repetitions are added', () => {
    const { cells } = table([row((one) => one, { count: 0 })], [ran({ count: 1, of: 10 }), ran({ count: 0, of: 10 })])
    expect(cells[1].slice(1, 4)).toEqual(['1 of 20', '0', 'MISSED'])
  })

  test('a row that no peer has anything for is left out', () => {
    expect(table([row(() => undefined, { p50: 5 })], [ran({})]).cells).toHaveLength(1)
  })

  test('the load is the range over the peers of the row', () => {
    const other = ran({ values: [1] }, { peer: 'tmux', load: '1.50 0 0' })
    const { cells } = table([row(times, { p50: 5 })], [ran({ values: [1] }), other], ['agentpty', 'tmux'])
    expect(cells[1].at(-1)).toBe('0.1–1.5')
  })
})

describe('whether a goal is met', () => {
  test('the worse of two bounds decides, and its factor is shown', () => {
    const { cells, missed } = table([row(times, { p50: 4, p99: 2 })], [ran({ values: [1, 3] })])
    expect(cells[1][3]).toBe('MISSED 1.50×')
    expect(missed).toEqual(['agentpty, echo, ms: 1 / 3, goal p50 ≤ 4, p99 ≤ 2, 1.50×'])
  })

  test('exactly the goal is met', () => {
    expect(table([row((one) => one, { number: 5 })], [ran({ number: 5 })]).missed).toEqual([])
  })

  test('anything where nothing is allowed is a miss', () => {
    expect(table([row((one) => one, { number: 0 })], [ran({ number: 0.1 })]).missed).toHaveLength(1)
  })

  test('a wrong answer misses, however cheap', () => {
    const { cells } = table([row((one) => one, { number: 40 })], [ran({ number: 3, wrong: true })])
    expect(cells[1].slice(1, 4)).toEqual(['3, wrong', '≤ 40', 'MISSED 0.07×'])
  })

  test('a scenario that failed misses and says why', () => {
    const { cells, missed, failed } = table([row(times, { p50: 5 })], [ran({ error: 'the server exited (1)' })])
    expect(cells[1].slice(1, 4)).toEqual(['failed', 'p50 ≤ 5', 'MISSED'])
    expect(missed).toHaveLength(1)
    expect(failed).toEqual(['agentpty, echo, ms: the server exited (1)'])
  })

  test('one failed repetition fails the cell', () => {
    const { cells } = table([row(times, { p50: 5 })], [ran({ values: [1] }), ran({ error: 'hung' })])
    expect(cells[1][1]).toBe('failed')
  })

  test('a peer without a goal of its own is only shown', () => {
    const { cells, missed } = table([row(times, { p50: 5 })], [ran({ values: [9] }, { peer: 'tmux' })], ['tmux'])
    expect(cells[1].slice(1, 4)).toEqual(['9 / 9', '', ''])
    expect(missed).toEqual([])
  })

  test('another way in is held against its own goal', () => {
    const both = { ...row(times, { p50: 5 }), goals: { agentpty: { p50: 5 }, 'agentpty-socket': { p50: 1 } } }
    const results = [ran({ values: [2] }), ran({ values: [2] }, { peer: 'agentpty-socket' })]
    const { cells } = table([both], results, ['agentpty', 'agentpty-socket'])
    expect(cells[1].slice(3, 5)).toEqual([
      'p50 ≤ 5; agentpty-socket: p50 ≤ 1',
      'met 0.40×; agentpty-socket: MISSED 2.00×',
    ])
  })
})

describe('the rows there are', () => {
  const cellsOf = (scenario, result) => {
    const { cells } = table(rows, [ran(result, { scenario })])
    return Object.fromEntries(cells.slice(1).map(([title, ...rest]) => [title, rest]))
  }

  test('a flood that never ended fails its rows and leaves those of the other alone', () => {
    const seq = { error: 'seq: not within 95000 ms', rssPeakMb: 1 }
    const cat = { wallMs: 2_000, bytesUnaccounted: 1, rssPeakMb: 100, neighbour: { values: [1] } }
    const cells = cellsOf('flood', { seq, cat })
    expect(cells['seq 1 5000000: peak memory of the servers, MB'][0]).toBe('failed')
    expect(cells['cat of 100 MB: until its end is proven, s'].slice(0, 3)).toEqual(['2', '≤ 4', 'met 0.50×'])
    expect(cells['cat of 100 MB: bytes unaccounted for'].slice(0, 3)).toEqual(['1', '0', 'MISSED'])
  })

  test('fast exits of all sizes are one goal', () => {
    const size = (count) => ({ incomplete: count, runs: 100 })
    const cells = cellsOf('loss', { 5000: size(0), 64000: size(0), 200000: size(2) })
    expect(cells['incomplete of all fast exits'].slice(0, 3)).toEqual(['2 of 300', '0', 'MISSED'])
  })

  test('tokens are added up only where every task was done', () => {
    const all = { listing: { tokens: 10, ok: true }, vim: { skipped: 'impossible without a PTY' } }
    expect(cellsOf('tokens', all)).not.toHaveProperty('tokens, all of these')
    expect(cellsOf('tokens', { listing: { tokens: 10, ok: true } })['tokens, all of these'][0]).toBe('10')
  })
})
