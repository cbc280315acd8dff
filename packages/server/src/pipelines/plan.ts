/** The next steps of a run, as a pure function of the state of its steps. */

import {
  type Condition,
  type PipelineRun,
  type RunState,
  type Step,
  type StepRun,
  stepsAtOnceDefault,
  stepsMax,
} from '@agentpty/protocol/pipelines'

/** A step that is not begun, and why. */
interface Settled {
  readonly key: string
  readonly state: 'skipped' | 'failed'
  readonly why: string
}

interface Next {
  /** The steps that replace a step which runs for each of several items. */
  readonly grown: { readonly key: string; readonly steps: Readonly<Record<string, StepRun>> } | null
  readonly settled: Settled | null
  /** Keys of steps to begin. */
  readonly begin: readonly string[]
  /** How it has ended; null while it has not. */
  readonly over: Exclude<RunState, 'running'> | null
}

const ended: ReadonlySet<StepRun['state']> = new Set(['done', 'failed', 'skipped', 'cancelled'])
const atWork: ReadonlySet<StepRun['state']> = new Set(['starting', 'working'])

export function nextOf(run: PipelineRun, outputOf: (key: string) => string): Next {
  const nothing: Next = { grown: null, settled: null, begin: [], over: null }
  if (run.state !== 'running') return { ...nothing, over: run.state }
  const isDue = ([, one]: readonly [string, StepRun]) =>
    one.state === 'waiting' && areEnded(run, stepOf(run, one).needs)
  const due = Object.entries(run.steps).filter(isDue)
  for (const [key, one] of due) {
    const step = stepOf(run, one)
    const why = whySkipped(run, step, outputOf)
    if (why !== null) return { ...nothing, settled: { key, state: 'skipped', why } }
    if (step.each !== undefined && one.item === null) return { ...nothing, ...grow(run, key, step, outputOf) }
  }
  const working = Object.values(run.steps).filter(({ state }) => atWork.has(state)).length
  const room = Math.max(0, (run.pipeline.atOnce ?? stepsAtOnceDefault) - working)
  const begin = due.map(([key]) => key).slice(0, room)
  const isOver = Object.values(run.steps).every(({ state }) => ended.has(state))
  return { ...nothing, begin, over: isOver ? endOf(run) : null }
}

export function firstSteps({ steps }: PipelineRun['pipeline']): Record<string, StepRun> {
  return Object.fromEntries(Object.keys(steps).map((name) => [name, waiting(name, null)]))
}

export function stepOf({ pipeline }: PipelineRun, { step }: Pick<StepRun, 'step'>): Step {
  const found = pipeline.steps[step]
  if (found === undefined) throw new Error(`the pipeline has a step ${step}`)
  return found
}

/** The runs of a step, in their order: several where it is done for each of some items. */
export function runsOf(run: PipelineRun, name: string): readonly (readonly [string, StepRun])[] {
  return Object.entries(run.steps).filter(([, { step }]) => step === name)
}

function areEnded(run: PipelineRun, names: readonly string[]): boolean {
  return names.every((name) => runsOf(run, name).every(([, { state }]) => ended.has(state)))
}

/** A step whose needs have failed is skipped, unless it asks how they have ended. */
function whySkipped(run: PipelineRun, step: Step, outputOf: (key: string) => string): string | null {
  const asked = new Set(step.when.map((condition) => condition.step))
  for (const need of step.needs) {
    const lost = runsOf(run, need).find(([, { state }]) => state !== 'done')
    if (lost !== undefined && !asked.has(need)) return `${lost[0]} is ${lost[1].state}`
  }
  const unmet = step.when.find((condition) => !holds(run, condition, outputOf))
  return unmet === undefined ? null : `the condition on ${unmet.step} does not hold`
}

function holds(
  run: PipelineRun,
  { step, state, exit, answer, not = false }: Condition,
  outputOf: (key: string) => string,
): boolean {
  const all = runsOf(run, step).every(
    ([key, one]) =>
      (state === undefined || one.state === state) &&
      (exit === undefined || one.exitCode === exit) &&
      (answer === undefined || outputOf(key).includes(answer)),
  )
  return all !== not
}

function grow(
  run: PipelineRun,
  key: string,
  step: Step,
  outputOf: (key: string) => string,
): Pick<Next, 'grown'> | Pick<Next, 'settled'> {
  const from = step.each ?? []
  const items =
    typeof from === 'string'
      ? runsOf(run, from).flatMap(([one]) => itemsOf(outputOf(one)))
      : from.map((text) => text.trim()).filter((text) => text !== '')
  if (items.length === 0) return { settled: { key, state: 'skipped', why: 'there is nothing to do it for' } }
  const room = stepsMax + 1 - Object.keys(run.steps).length
  if (items.length > room)
    return { settled: { key, state: 'failed', why: `${items.length} items are more than ${room}` } }
  return {
    grown: { key, steps: Object.fromEntries(items.map((item, at) => [`${key}.${at + 1}`, waiting(key, item)])) },
  }
}

function waiting(step: string, item: string | null): StepRun {
  return {
    step,
    item,
    state: 'waiting',
    attempt: 0,
    terminalId: null,
    startedAt: null,
    endedAt: null,
    exitCode: null,
    outputBytes: null,
    why: null,
  } as const
}

/** A failure that a step asks about has been dealt with. */
function endOf(run: PipelineRun): 'done' | 'failed' {
  const askedAbout = new Set(Object.values(run.pipeline.steps).flatMap(({ when }) => when.map(({ step }) => step)))
  return Object.values(run.steps).some(({ state, step }) => state === 'failed' && !askedAbout.has(step))
    ? 'failed'
    : 'done'
}

/** The answer as one JSON list, else its lines. Where every line begins with the same kind of list mark, that mark is no part of the item. */
export function itemsOf(answer: string): readonly string[] {
  const text = fenced.exec(answer.trim())?.[1]?.trim() ?? answer.trim()
  const items = listed(text) ?? withoutMarks(text.split('\n').map((line) => line.trim()))
  return items.filter((item) => item !== '')
}

const fenced = /^```[\w-]*\n([\s\S]*)\n```$/

/** Null for what is no JSON list. */
function listed(text: string): readonly string[] | null {
  if (!text.startsWith('[')) return null
  try {
    const parsed: unknown = JSON.parse(text)
    if (!Array.isArray(parsed)) return null
    return parsed.map((item: unknown) => (typeof item === 'string' ? item.trim() : JSON.stringify(item)))
  } catch {
    return null
  }
}

const marks = [/^[-*•]\s+/, /^\d+[.)]\s+/]

function withoutMarks(lines: readonly string[]): readonly string[] {
  const full = lines.filter((line) => line !== '')
  const mark = marks.find((one) => full.every((line) => one.test(line)))
  return mark === undefined ? full : full.map((line) => line.replace(mark, ''))
}
