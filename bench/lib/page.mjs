/** Turns the records of one or several runs into a page in Markdown. Nothing on it is written by hand. */
import { makeTable, markdownLines } from './table.mjs'

/** Records of one scenario and peer count as further repetitions of it. Errors: records of different machines. */
export function writePage({ rows, records }) {
  const [first] = records
  const machine = machineOf(first)
  for (const record of records) {
    if (machineOf(record) !== machine) {
      throw new Error(`The runs are from different machines (${machine}; ${machineOf(record)}). Write a page for each.`)
    }
  }
  const results = records.flatMap((record) => record.results)
  const peers = [...new Set(results.map(({ peer }) => peer))]
  const { cells, met, missed, failed } = makeTable({ rows, results, peers })
  const days = [...new Set(records.map(({ startedAt }) => startedAt.slice(0, 10)))].sort()
  const parts = [
    '# Benchmark',
    '<!-- Written by `npm run bench -- --write docs/bench.md FILE...` from the JSON files of runs; run it again instead of editing. -->',
    `With this page you compare the speed of agentpty and its peers, all driven only through their public interfaces. ${met.length} of ${met.length + missed.length} goals met.`,
    `Measured ${days.join(', ')} on ${machine}.`,
    methodText,
    markdownLines(cells).join('\n'),
    section('Goals missed', missed),
    section('Failed', failed),
    ['## Samples', samplesText, markdownLines(sampleCells(results)).join('\n')].join('\n\n'),
  ]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

const machineOf = ({ cpus, cpuModel, memoryGb, system, kernel, node }) =>
  `${cpus} CPUs (${cpuModel}), ${memoryGb} GB of memory, ${system} ${kernel}, Node ${node}`

const methodText = `Times are p50 / p99. A goal is agentpty's own, for an idle machine of two cores; beside the verdict stands how many times the goal it
took. \`load\` is the load average over one minute as the row's measurements began, where the peers before have left their own share: above
1 the times say less. \`-\`: not measured, or it does not apply. \`wrong\`: the number is the price of a wrong answer. What each row measures,
how each peer is driven and what makes it fair is in [bench/README.md](../bench/README.md).`

const samplesText = `How often each scenario was run, how many times it measured where it measures times, the load average over one minute as it began,
and how long it took.`

function section(title, lines) {
  return lines.length > 0 && [`## ${title}`, lines.map((line) => `* ${line}`).join('\n')].join('\n\n')
}

function sampleCells(results) {
  const body = [...byCell(results).values()].map((runs) => [
    runs[0].scenario,
    runs[0].peer,
    String(runs.length),
    runs.map(({ result }) => result.ms?.n ?? '-').join(', '),
    runs.map(({ load }) => load?.split(' ')[0] ?? '-').join(', '),
    runs.map(({ tookMs }) => (tookMs === undefined ? '-' : (tookMs / 1e3).toFixed(1))).join(', '),
  ])
  return [['scenario', 'peer', 'runs', 'times', 'load', 'seconds'], ...body]
}

function byCell(results) {
  const cells = new Map()
  for (const one of results) {
    const key = `${one.scenario} ${one.peer}`
    cells.set(key, [...(cells.get(key) ?? []), one])
  }
  return cells
}
