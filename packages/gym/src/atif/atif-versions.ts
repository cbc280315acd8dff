/** The fields that each version of ATIF added: a trajectory may only have those of its own version. */

import type { Fault, KeyPath } from '../json-text.ts'
import type { Step, Trajectory } from './trajectory.ts'

/** 1.x of the newest version whose keys are all known here. */
export const newestMinor = 7

/** The x of `ATIF-v1.x`; null for another text. */
export function minorOf(version: unknown): number | null {
  const [, minor] = /^ATIF-v1\.(\d{1,3})$/.exec(typeof version === 'string' ? version : '') ?? []
  return minor === undefined ? null : Number(minor)
}

interface Addition {
  readonly minor: number
  readonly what: string
  readonly placesIn: (trajectory: Trajectory) => readonly KeyPath[]
}

const rootKey =
  (key: 'extra' | 'trajectory_id' | 'subagent_trajectories') =>
  (trajectory: Trajectory): readonly KeyPath[] =>
    trajectory[key] === undefined ? [] : [[key]]

/** `placeIn`: below the step; null where it is not used. */
const inSteps =
  (placeIn: (step: Step) => KeyPath | null) =>
  ({ steps }: Trajectory): readonly KeyPath[] =>
    steps.flatMap((step, index) => {
      const place = placeIn(step)
      return place === null ? [] : [['steps', index, ...place]]
    })

const additions: readonly Addition[] = [
  { minor: 1, what: 'extra at the root', placesIn: rootKey('extra') },
  {
    minor: 2,
    what: 'an observation on a step that is not the agent’s',
    placesIn: inSteps((step) => (step.source !== 'agent' && step.observation !== undefined ? ['observation'] : null)),
  },
  {
    minor: 3,
    what: 'completion_token_ids',
    placesIn: inSteps((step) =>
      step.metrics?.completion_token_ids === undefined ? null : ['metrics', 'completion_token_ids'],
    ),
  },
  {
    minor: 4,
    what: 'prompt_token_ids',
    placesIn: inSteps((step) =>
      step.metrics?.prompt_token_ids === undefined ? null : ['metrics', 'prompt_token_ids'],
    ),
  },
  {
    minor: 5,
    what: 'tool_definitions',
    placesIn: ({ agent }) => (agent.tool_definitions === undefined ? [] : [['agent', 'tool_definitions']]),
  },
  { minor: 6, what: 'content in parts', placesIn: inSteps(partsPlace) },
  { minor: 7, what: 'trajectory_id', placesIn: rootKey('trajectory_id') },
  { minor: 7, what: 'subagent_trajectories', placesIn: rootKey('subagent_trajectories') },
  {
    minor: 7,
    what: 'llm_call_count',
    placesIn: inSteps((step) => (step.llm_call_count === undefined ? null : ['llm_call_count'])),
  },
  { minor: 7, what: 'the trajectory_id of a subagent', placesIn: inSteps(subagentIdPlace) },
]

function partsPlace({ message, observation }: Step): KeyPath | null {
  if (typeof message !== 'string') return ['message']
  const at = observation?.results.findIndex(({ content }) => Array.isArray(content)) ?? -1
  return at < 0 ? null : ['observation', 'results', at, 'content']
}

function subagentIdPlace({ observation }: Step): KeyPath | null {
  for (const [at, result] of (observation?.results ?? []).entries()) {
    const inner = result.subagent_trajectory_ref?.findIndex((one) => one.trajectory_id !== undefined) ?? -1
    if (inner >= 0) return ['observation', 'results', at, 'subagent_trajectory_ref', inner, 'trajectory_id']
  }
  return null
}

export function versionFaults(trajectory: Trajectory, minor: number): readonly Fault[] {
  return additions
    .filter((addition) => addition.minor > minor)
    .flatMap(({ minor: since, what, placesIn }) =>
      placesIn(trajectory).map((path) => ({
        path,
        message: `${what} came with ATIF-v1.${since}, and this is ATIF-v1.${minor}`,
      })),
    )
}
