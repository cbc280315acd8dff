/**
 * Validates a trajectory of ATIF: returns every rule that it breaks, with its path. A trajectory of version 1.0 to 1.7 must follow the rules
 * of its version. In a later version, unknown keys are ignored and named; the rest must follow the rules of 1.7.
 */

import { jsonNestingMax, subagentDepthMax, trajectoryBytesMax, trajectoryFaultsMax } from '@agentpty/protocol/gym'
import { isObject } from '@agentpty/protocol/wire'
import { readTextInside } from '../folder-files.ts'
import { type Fault, faultsOf, type KeyPath, keyText, malformed, readJsonText, shapeFault } from '../json-text.ts'
import { minorOf, newestMinor, versionFaults } from './atif-versions.ts'
import { type Step, Trajectory } from './trajectory.ts'

export type TrajectoryCheck =
  | {
      readonly outcome: 'valid'
      readonly trajectory: Trajectory
      /** Unknown keys that were ignored, in a version later than 1.7. */
      readonly unknownKeys: readonly string[]
    }
  | { readonly outcome: 'invalid'; readonly faults: readonly Fault[] }

/** At most {@link trajectoryFaultsMax} faults. */
export function validateTrajectory(value: unknown): TrajectoryCheck {
  const fault = shapeFault(value, jsonNestingMax)
  return fault === null ? checkAt(value, 0) : invalid([{ path: [], message: fault }])
}

/** `path`: from the folder. Null for what is not there. Errors: `invalid_input`, with the first fault; `limit_reached`. */
export function readTrajectory(folder: string, path: string): Trajectory | null {
  const text = readTextInside(folder, path, trajectoryBytesMax)
  if (text === null) return null
  const check = validateTrajectory(readJsonText(text, { file: path, bytesMax: trajectoryBytesMax }))
  if (check.outcome === 'valid') return check.trajectory
  const [fault = { path: [], message: 'is no trajectory' }] = check.faults
  const more = check.faults.length - 1
  throw malformed(path, fault, more === 0 ? 'Mend it there.' : `Mend it there; ${more} more faults follow.`)
}

function checkAt(value: unknown, depth: number): TrajectoryCheck {
  if (depth > subagentDepthMax) return invalid([{ path: [], message: `is deeper than ${subagentDepthMax} subagents` }])
  const plain = withoutNulls(value)
  const minor = isObject(plain) ? minorOf(plain['schema_version']) : null
  const known = minor !== null && minor > newestMinor ? withoutUnknownKeys(plain) : { value: plain, unknownKeys: [] }
  const parsed = Trajectory.safeParse(known.value)
  if (!parsed.success) return invalid(shapeFaults(parsed.error.issues))
  const faults = [
    ...versionFaults(parsed.data, minor ?? newestMinor),
    ...parsed.data.steps.flatMap((step, index) => below(['steps', index], stepFaults(step, index))),
    ...totalFaults(parsed.data),
    ...subagentFaults(parsed.data, depth),
  ]
  return faults.length > 0
    ? invalid(faults)
    : { outcome: 'valid', trajectory: parsed.data, unknownKeys: known.unknownKeys }
}

const invalid = (faults: readonly Fault[]): TrajectoryCheck => ({
  outcome: 'invalid',
  faults: faults.slice(0, trajectoryFaultsMax),
})

const below = (path: KeyPath, faults: readonly Fault[]): readonly Fault[] =>
  faults.map((fault) => ({ path: [...path, ...fault.path], message: fault.message }))

/** Removes nulls that Python programs write for unset fields. Nulls in users' own data stay. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isObject(value)) return value
  const entries = Object.entries(value).filter(([, inner]) => inner !== null)
  return Object.fromEntries(entries.map(([key, inner]) => [key, freeKeys.has(key) ? inner : withoutNulls(inner)]))
}

const freeKeys = new Set(['extra', 'arguments', 'tool_definitions'])

type Issues = NonNullable<ReturnType<typeof Trajectory.safeParse>['error']>['issues']

function shapeFaults(issues: Issues): readonly Fault[] {
  return issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return faultsOf([issue])
    return issue.keys.map((key) => ({
      path: [...issue.path, key],
      message: 'is no key of ATIF; what is your own goes into extra',
    }))
  })
}

/** Removes the keys of a later version that this one would refuse. Parts of a message stay unchanged. */
function withoutUnknownKeys(value: unknown) {
  const issues = Trajectory.safeParse(value).error?.issues ?? []
  const unknown = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [],
  )
  return { value: unknown.reduce(withoutPath, value), unknownKeys: unknown.map(keyText) }
}

function withoutPath(value: unknown, [key, ...rest]: KeyPath): unknown {
  if (Array.isArray(value)) return value.map((item: unknown, index) => (index === key ? withoutPath(item, rest) : item))
  if (!isObject(value)) return value
  const entries = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    if (name !== key) return [[name, inner]]
    return rest.length === 0 ? [] : [[name, withoutPath(inner, rest)]]
  })
  return Object.fromEntries(entries)
}

function totalFaults({ final_metrics: totals }: Trajectory): readonly Fault[] {
  const { total_cached_tokens: cached, total_prompt_tokens: prompt } = totals ?? {}
  if (cached === undefined || prompt === undefined || cached <= prompt) return []
  return [
    {
      path: ['final_metrics', 'total_cached_tokens'],
      message: `is ${cached}, more than the ${prompt} of the prompts it is part of`,
    },
  ]
}

/** Returns the faults of subtrajectories, which are trajectories with names of their own. */
function subagentFaults(
  { subagent_trajectories: subagents, trajectory_id: own }: Trajectory,
  depth: number,
): readonly Fault[] {
  const names = new Set(own === undefined ? [] : [own])
  return (subagents ?? []).flatMap((subagent, index) => {
    const path = ['subagent_trajectories', index]
    const check = checkAt(subagent, depth + 1)
    if (check.outcome === 'invalid') return below(path, check.faults)
    const { trajectory_id: name } = check.trajectory
    const isTaken = name !== undefined && names.has(name)
    if (name !== undefined && !isTaken) names.add(name)
    if (name !== undefined && !isTaken) return []
    const message = isTaken ? `"${name}" stands twice` : 'is required of a trajectory inside another one'
    return [{ path: [...path, 'trajectory_id'], message }]
  })
}

/** Keys that only a step of the agent may have. */
const agentKeys = ['model_name', 'reasoning_effort', 'reasoning_content', 'tool_calls', 'metrics'] as const
/** Keys that a step without a model call cannot have. */
const modelKeys = ['metrics', 'reasoning_content'] as const

const moment = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?$/

/** Rules of ATIF between the fields of a step, which its shape alone does not show. `index`: counts from 0. Paths are from the step. */
function stepFaults(step: Step, index: number): readonly Fault[] {
  return [
    ...numberFaults(step, index),
    ...momentFaults(step),
    ...sourceFaults(step),
    ...callFaults(step),
    ...tokenFaults(step),
  ]
}

function numberFaults({ step_id: id }: Step, index: number): readonly Fault[] {
  if (id === index + 1) return []
  return [{ path: ['step_id'], message: `is ${id} and should be ${index + 1}; steps count 1, 2, 3 without gaps` }]
}

function momentFaults({ timestamp }: Step): readonly Fault[] {
  const isMoment =
    timestamp === undefined || (moment.test(timestamp) && !Number.isNaN(Date.parse(timestamp.replace(',', '.'))))
  return isMoment ? [] : [{ path: ['timestamp'], message: 'is no moment as ISO 8601' }]
}

function sourceFaults(step: Step): readonly Fault[] {
  if (step.source !== 'agent')
    return agentKeys
      .filter((key) => step[key] !== undefined)
      .map((key) => ({ path: [key], message: `only stands on steps of the agent; this one is of the ${step.source}` }))
  if (step.llm_call_count !== 0) return []
  return modelKeys
    .filter((key) => step[key] !== undefined)
    .map((key) => ({ path: [key], message: 'may not stand where llm_call_count is 0: no model was asked' }))
}

function callFaults({ tool_calls: calls, observation }: Step): readonly Fault[] {
  const known = new Set((calls ?? []).map(({ tool_call_id: id }) => id))
  return (observation?.results ?? []).flatMap(({ source_call_id: id }, index) =>
    id === undefined || known.has(id)
      ? []
      : [
          {
            path: ['observation', 'results', index, 'source_call_id'],
            message: `${JSON.stringify(id)} names no tool call of this step`,
          },
        ],
  )
}

function tokenFaults({ metrics }: Step): readonly Fault[] {
  const { cached_tokens: cached, prompt_tokens: prompt } = metrics ?? {}
  if (cached === undefined || prompt === undefined || cached <= prompt) return []
  return [
    {
      path: ['metrics', 'cached_tokens'],
      message: `is ${cached}, more than the ${prompt} of the prompt it is part of`,
    },
  ]
}
