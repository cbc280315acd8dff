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
} from '@agentpty/protocol/gym'
import { hostname, type InsideFiles, systemMounts } from './inside.ts'

export interface ContainerParts {
  readonly containers: Pick<Containers, 'start'>
  readonly files: () => Promise<InsideFiles>
}

export interface ContainerAsked {
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
