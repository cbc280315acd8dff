/** Rules of ATIF between the fields of a step, which its shape alone does not show. */

import type { Fault } from '../malformed.ts'
import type { Step } from './trajectory.ts'

/** What only an agent's model can have said or used. */
const agentKeys = ['model_name', 'reasoning_effort', 'reasoning_content', 'tool_calls', 'metrics'] as const
/** What a step for which no model was asked cannot have. */
const modelKeys = ['metrics', 'reasoning_content'] as const

const moment = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?$/

/** `index`: counts from 0. Paths are from the step. */
export function stepFaults(step: Step, index: number): readonly Fault[] {
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
