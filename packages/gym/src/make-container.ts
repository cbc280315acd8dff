/** Containers of environments: what they have of this machine, and what of their own. */

import { type Containers, containerWords } from '@agentpty/engine/container'
import {
  containerFileBytesDefault,
  containerMemoryBytesDefault,
  containerProcessesDefault,
  type EnvironmentSpec,
  type Layer,
  type Mount,
  type RunningContainer,
  rootBytesDefault,
  stageBytesDefault,
  type TrialConfig,
} from '@agentpty/protocol/gym'
import type { HarborTask } from './harbor/harbor-task.ts'
import { hostname, type InsideFiles, systemMounts } from './inside.ts'

interface ContainerParts {
  readonly containers: Pick<Containers, 'start'>
  readonly files: () => Promise<InsideFiles>
}

interface ContainerAsked {
  readonly stage: string
  readonly layers: readonly Layer[]
  readonly spec: Pick<EnvironmentSpec, 'network'>
  readonly isInMemory: boolean
}

export type MakeContainer = (asked: ContainerAsked) => Promise<RunningContainer>

export function containerMaker(parts: ContainerParts): MakeContainer {
  let mounts: Promise<readonly Mount[]> | null = null
  return async ({ stage, layers, spec, isInMemory }) => {
    mounts ??= parts.files().then(systemMounts)
    const words = containerWords({
      stage,
      stageBytes: isInMemory ? stageBytesDefault : null,
      layers,
      mounts: await mounts,
      rootBytes: rootBytesDefault,
      hostname,
      hasNetwork: spec.network === 'on',
      limits,
    })
    return parts.containers.start(words, limits)
  }
}

const limits = {
  memoryBytes: containerMemoryBytesDefault,
  processes: containerProcessesDefault,
  fileBytes: containerFileBytesDefault,
}

// Limits of a trial's phases: the shorter of the task's and the trial's, times a multiplier. An override replaces the task's limit.

/** An agent is installed within this many seconds, whatever the task. */
const agentSetupSeconds = 360

type Limits = Pick<
  TrialConfig,
  | 'timeout_multiplier'
  | 'agent_timeout_multiplier'
  | 'verifier_timeout_multiplier'
  | 'agent_setup_timeout_multiplier'
  | 'environment_build_timeout_multiplier'
> & {
  readonly agent: Pick<TrialConfig['agent'], 'override_timeout_sec' | 'override_setup_timeout_sec' | 'max_timeout_sec'>
  readonly verifier: Pick<TrialConfig['verifier'], 'override_timeout_sec' | 'max_timeout_sec'>
}

/** `step`: of a task that has several; what it does not say is as in the task. A limit of null for the agent means no limit. */
export function effectiveTimeouts(task: HarborTask, limits: Limits, step: HarborTask['steps'][number] | null = null) {
  const { agent, verifier, timeout_multiplier } = limits
  const times = (seconds: number, own: number | null) => seconds * (own ?? timeout_multiplier)
  const agentBase = agent.override_timeout_sec ?? step?.agent?.timeout_sec ?? task.agent.timeout_sec
  const agentSeconds = shorter(agentBase, agent.max_timeout_sec)
  const verifierBase = verifier.override_timeout_sec ?? step?.verifier?.timeout_sec ?? task.verifier.timeout_sec
  const verifierSeconds = Math.min(verifierBase, verifier.max_timeout_sec ?? verifierBase)
  const setupSeconds = agent.override_setup_timeout_sec ?? agentSetupSeconds
  return {
    environmentBuild: times(task.environment.build_timeout_sec, limits.environment_build_timeout_multiplier),
    agentSetup: times(setupSeconds, limits.agent_setup_timeout_multiplier),
    agent: agentSeconds === null ? null : times(agentSeconds, limits.agent_timeout_multiplier),
    verifier: times(verifierSeconds, limits.verifier_timeout_multiplier),
  }
}

/** Returns the shorter of two limits; null means no limit. */
function shorter(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other
  return Math.min(one, other)
}
