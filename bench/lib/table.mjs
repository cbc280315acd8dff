/** From raw results to one aligned table. */
import { round, stats } from './measure.mjs'

/** @returns {{ lines: string[], missed: number }} */
export function makeTable({ rows, results, peers, goalPeer }) {
  const shown = rows.filter((row) => peers.some((peer) => summaryOf(row, results, peer).text !== '-'))
  const header = ['', ...peers, `goal of ${goalPeer}`, '']
  let missed = 0
  const body = shown.map((row) => {
    const cells = peers.map((peer) => summaryOf(row, results, peer))
    const verdict = row.goal ? judge(row.goal, cells[peers.indexOf(goalPeer)]) : ''
    if (verdict === 'missed') missed += 1
    return [row.title, ...cells.map(textOf), row.goal ? goalText(row.goal) : '', verdict]
  })
  return { lines: align([header, ...body]), missed }
}

/** All repetitions of one cell in one: times are pooled, counts are added, single numbers give their median. */
function summaryOf({ scenario, pick }, allResults, peer) {
  const results = allResults.filter((one) => one.peer === peer && one.scenario === scenario)
  const failed = results.find(({ result }) => result.error)
  if (failed) return { text: 'failed' }
  const picked = results
    .filter(({ result }) => !result.skipped)
    .map(({ result }) => pick(result))
    .filter((one) => one && (one.values || one.count !== undefined || one.number !== undefined))
  if (picked.length === 0) return { text: '-' }
  if (picked[0].values) return { times: stats(picked.flatMap(({ values }) => values)) }
  if (picked[0].count !== undefined) return { count: add(picked, 'count'), of: add(picked, 'of') }
  return { number: stats(picked.map(({ number }) => number)).p50, wrong: picked.some(({ wrong }) => wrong) }
}

const add = (picked, field) => picked.reduce((sum, one) => sum + one[field], 0)

function textOf({ text, times, count, of, number, wrong }) {
  if (text) return text
  if (times) return `${short(times.p50)} / ${short(times.p99)}`
  return count === undefined ? `${number}${wrong ? ', wrong' : ''}` : `${count} of ${of}`
}

const short = (value) => String(round(value, value < 10 ? 2 : value < 100 ? 1 : 0))

function goalText(goal) {
  const parts = [
    goal.p50 && `p50 ≤ ${goal.p50}`,
    goal.p99 && `p99 ≤ ${goal.p99}`,
    goal.count !== undefined && String(goal.count),
  ]
  return parts.filter(Boolean).join(', ')
}

function judge(goal, cell) {
  if (!cell || cell.text === '-') return ''
  if (cell.text) return 'missed'
  if (goal.count !== undefined) return cell.count <= goal.count ? 'met' : 'missed'
  const within = (name) => goal[name] === undefined || cell.times?.[name] <= goal[name]
  return within('p50') && within('p99') ? 'met' : 'missed'
}

function align(table) {
  const widths = table[0].map((_, column) => Math.max(...table.map((cells) => cells[column].length)))
  const line = (cells) =>
    cells
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
      .join('  ')
      .trimEnd()
  const rule = widths.map((width) => '-'.repeat(width)).join('  ')
  return [line(table[0]), rule, ...table.slice(1).map(line)]
}
