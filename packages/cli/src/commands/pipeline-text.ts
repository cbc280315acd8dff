/** Runs of pipelines as a person reads them in a terminal. */

import type { ShownRun } from '@agentpty/protocol/pipelines'
import { table } from '../format-tables.ts'

type Step = ShownRun['steps'][number]
type IsoTime = (wall: number) => string

const signs: Readonly<Record<Step['state'], string>> = {
  waiting: '·',
  starting: '▸',
  working: '▸',
  done: '✓',
  failed: '✗',
  skipped: '–',
  cancelled: '×',
}

export function runsText(runs: readonly ShownRun[], isoTime: IsoTime): string {
  if (runs.length === 0) return 'No pipeline has run.\n'
  return table(
    runs.map((run) => [run.runId, run.state, progress(run), isoTime(run.startedAt), run.name ?? '', run.cwd]),
  )
}

export function runText(run: ShownRun, isoTime: IsoTime): string {
  const took = run.endedAt === null ? '' : `, took ${seconds(run.endedAt - run.startedAt)}`
  const head = `${run.runId}${run.name === undefined ? '' : ` (${run.name})`} ${run.state}: ${progress(run)}, begun ${isoTime(run.startedAt)}${took}`
  return `${head}\n${table(run.steps.map(stepRow))}`
}

/** Describes the changes of steps since the last picture; `before` is null at the beginning. */
export function changesText(before: ShownRun | null, now: ShownRun): string {
  const known = new Map(before?.steps.map((step) => [step.key, step]))
  const isNews = (step: Step) => {
    const last = known.get(step.key)
    return step.state !== 'waiting' && (last?.state !== step.state || last.attempt !== step.attempt)
  }
  return table(now.steps.filter(isNews).map(stepRow))
}

function stepRow(step: Step): readonly string[] {
  const { key, state, attempt, terminalId, startedAt, endedAt, outputBytes, why, item } = step
  const took = startedAt === null || endedAt === null ? '' : seconds(endedAt - startedAt)
  const again = attempt > 1 ? `attempt ${attempt}` : ''
  const answer = outputBytes === null ? '' : `${outputBytes} bytes`
  const about = [again, answer, why ?? '', item === null ? '' : `for ${shortened(item)}`].filter((one) => one !== '')
  return [`  ${signs[state]} ${key}`, state, took, terminalId ?? '', about.join('; ')]
}

function progress({ steps }: ShownRun): string {
  return `${steps.filter(({ state }) => state === 'done').length} of ${steps.length} done`
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`

const shownMax = 60
const shortened = (text: string) => (text.length > shownMax ? `${text.slice(0, shownMax)}…` : text)
