/** The result in a form for people. */

import type { Scenario } from './scenario.ts'
import { type Scored, type Summary, summarize } from './score.ts'

export interface Failure {
  readonly id: string
  readonly reason: string
}

export interface ReportOptions {
  readonly detectors: Readonly<Record<string, Summary & { readonly cpuUsPerDecision?: number | null }>>
  readonly scored: readonly Scored[]
  readonly failures: readonly Failure[]
  readonly traced: boolean
  readonly scenarios: readonly Scenario[]
}

const percent = (share: number | null) => (share === null ? '–' : `${(share * 100).toFixed(1)} %`)
const ms = (value: number) => (value < 10 ? value.toFixed(1) : value.toFixed(0))

export function report({ detectors, scored, failures, traced, scenarios }: ReportOptions): string {
  const programs = new Set(scenarios.map(({ program }) => program)).size
  const sets = [...new Set(scored.map(({ set }) => set))]
  const rows = Object.entries(detectors).map(([name, summary]) => row(name, summary))
  const wrong = scored.filter(({ got, kindRight }) => got === 'FALSE' || got === 'miss' || kindRight === false)
  return [
    `${scenarios.length} scenarios, ${programs} programs; truth from ${traced ? 'the kernel’s trace' : 'markers and floors'}`,
    '',
    table([heading, ...rows]),
    '',
    'agentpty by set:',
    table([heading, ...sets.map((set) => row(set, summarize(scored.filter((one) => one.set === set))))]),
    '',
    'agentpty’s stated confidence:',
    ...Object.entries(detectors['agentpty']?.calibration ?? {}).map(
      ([level, { decisions, right }]) => `  ${level.padEnd(8)} ${right} of ${decisions} right`,
    ),
    `CPU per decision: ${detectors['agentpty']?.cpuUsPerDecision?.toFixed(0) ?? '–'} µs`,
    '',
    ...wrong.map(
      ({ id, phase, want, got, ms: late, kind, confidence, evidence }) =>
        `${got === 'hit' ? 'kind ' : got.padEnd(5)} ${id}#${phase} want ${want}, said ${kind ?? 'nothing'} (${confidence ?? '–'})${late === null ? '' : ` after ${late.toFixed(0)} ms`}: ${evidence.join('; ')}`,
    ),
    ...failures.map(({ id, reason }) => `FAILED ${id}: ${reason.replaceAll('\n', '⏎')}`),
    '',
  ].join('\n')
}

const heading = [
  'detector',
  'waits',
  'busy',
  'hits',
  'FALSE',
  'misses',
  'precision',
  'recall',
  'p50',
  'p90',
  'p99 ms',
  'kind',
]

function row(name: string, summary: Summary): readonly string[] {
  const { waits, busy, hits, false: falses, misses, precision, recall, p50Ms, p90Ms, p99Ms, kindRight } = summary
  return [
    name,
    `${waits}`,
    `${busy}`,
    `${hits}`,
    `${falses}`,
    `${misses}`,
    percent(precision),
    percent(recall),
    ms(p50Ms),
    ms(p90Ms),
    ms(p99Ms),
    percent(kindRight),
  ]
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = heading.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)))
  return rows
    .map((cells) =>
      cells
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('  '),
    )
    .join('\n')
}
