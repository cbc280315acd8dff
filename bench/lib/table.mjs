/** Turns raw results into one table: the text of each cell, and whether each goal is met. */
import { round, stats } from './measure.mjs'

/**
 * `cells` is the table with its heading as the first line; `missed`, `met` and `failed` list its goals and broken cells as
 * sentences. A peer without a goal is only shown.
 */
export function makeTable({ rows, results, peers }) {
  const tables = rows
    .map((row) => ({ row, summaries: peers.map((peer) => summaryOf(row, results, peer)) }))
    .filter(({ summaries }) => summaries.some((summary) => summary !== null))
  const judged = tables.flatMap(({ row, summaries }) =>
    peers.flatMap((peer, index) => judge({ row, peer, summary: summaries[index] })),
  )
  const failures = tables.flatMap(({ row, summaries }) =>
    peers.flatMap((peer, i) => (summaries[i]?.failed ? `${peer}, ${row.title}: ${summaries[i].failed}` : [])),
  )
  const body = tables.map(({ row, summaries }) => {
    const verdicts = judged.filter((one) => one.row === row)
    return [row.title, ...summaries.map(textOf), ...goalCells(verdicts), loadOf(row, results)]
  })
  return {
    cells: [['', ...peers, 'goal', '', 'load'], ...body],
    met: judged.filter(({ isMet }) => isMet).map(sentence),
    missed: judged.filter(({ isMet }) => !isMet).map(sentence),
    failed: [...new Set(failures)],
  }
}

/**
 * All repetitions of one cell in one: times are pooled, counts are added, single numbers give their median. Null where the
 * scenario was not run for the peer or does not apply to it.
 */
function summaryOf({ scenario, pick }, allResults, peer) {
  const results = allResults.filter((one) => one.peer === peer && one.scenario === scenario)
  const broken = results.find(({ result }) => result.error)
  if (broken) return { failed: broken.result.error }
  const picked = results
    .filter(({ result }) => !result.skipped)
    .map(({ result }) => pick(result))
    .filter(Boolean)
  if (picked.length === 0) return null
  const failed = picked.find((one) => one.failed)
  if (failed) return failed
  if (picked[0].values) return { times: stats(picked.flatMap(({ values }) => values)) }
  if (picked[0].count !== undefined) return { count: add(picked, 'count'), of: add(picked, 'of') }
  return { number: stats(picked.map(({ number }) => number)).p50, wrong: picked.some(({ wrong }) => wrong) }
}

const add = (picked, field) => picked.reduce((sum, one) => sum + one[field], 0)

function textOf(summary) {
  if (summary === null) return '-'
  const { failed, times, count, of, number, wrong } = summary
  if (failed) return 'failed'
  if (times) return `${short(times.p50)} / ${short(times.p99)}`
  return count === undefined ? `${number}${wrong ? ', wrong' : ''}` : `${count} of ${of}`
}

const short = (value) => String(round(value, value < 10 ? 2 : value < 100 ? 1 : 0))

/** Nothing where the peer has no goal in this row or was not measured; a failed cell and a wrong answer miss theirs. */
function judge({ row, peer, summary }) {
  const goal = row.goals[peer]
  if (!goal || summary === null) return []
  const { failed, times, count, number, wrong } = summary
  const reached = { ...times, count, number }
  const ratios = Object.entries(goal).map(([name, most]) => ratio(reached[name], most))
  const isMet = !failed && !wrong && ratios.every((one) => one <= 1)
  return [{ row, peer, goal, isMet, factor: Math.max(...ratios), said: textOf(summary) }]
}

/** The share of the goal that was used: 1 is exactly met. Any excess over a goal of nothing is infinite. */
function ratio(value, most) {
  if (value === undefined) return Number.POSITIVE_INFINITY
  if (most === 0) return value > 0 ? Number.POSITIVE_INFINITY : 0
  return value / most
}

function goalCells(verdicts) {
  const named = (one, text) => (one.peer === 'agentpty' ? text : `${one.peer}: ${text}`)
  return [
    verdicts.map((one) => named(one, goalText(one.goal))).join('; '),
    verdicts.map((one) => named(one, verdictText(one))).join('; '),
  ]
}

const verdictText = ({ isMet, factor }) => (isMet ? 'met' : 'MISSED') + timesGoal(factor)

/** The result as a multiple of the goal, if defined. */
const timesGoal = (factor) => (Number.isFinite(factor) && factor > 0 ? ` ${factor.toFixed(2)}×` : '')

function goalText(goal) {
  const parts = Object.entries(goal).map(([name, most]) => {
    if (most === 0) return '0'
    const text = `≤ ${most.toLocaleString('en')}`
    return name.startsWith('p') ? `${name} ${text}` : text
  })
  return parts.join(', ')
}

const sentence = ({ row, peer, goal, said, factor }) =>
  `${peer}, ${row.title}: ${said}, goal ${goalText(goal)}${Number.isFinite(factor) ? `,${timesGoal(factor)}` : ''}`

/** The machine's load average over one minute as the row's cells began: the range over peers and repetitions. */
function loadOf({ scenario }, results) {
  const loads = results.flatMap((one) => (one.scenario === scenario && one.load ? Number(one.load.split(' ')[0]) : []))
  if (loads.length === 0) return ''
  const least = Math.min(...loads)
  const most = Math.max(...loads)
  return least === most ? String(least) : `${least}–${most}`
}

/** For a terminal. */
export function alignedLines(cells) {
  const widths = cells[0].map((_, column) => Math.max(...cells.map((line) => line[column].length)))
  const line = (texts) =>
    texts
      .map((text, i) => (i === 0 ? text.padEnd(widths[i]) : text.padStart(widths[i])))
      .join('  ')
      .trimEnd()
  const rule = widths.map((width) => '-'.repeat(width)).join('  ')
  return [line(cells[0]), rule, ...cells.slice(1).map(line)]
}

/** For a page. */
export function markdownLines([heading, ...body]) {
  const line = (texts) => `| ${texts.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(heading), `|${heading.map((_, i) => (i === 0 ? '---|' : '---:|')).join('')}`, ...body.map(line)]
}
