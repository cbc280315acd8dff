/** What the host's binary is told to make a container, and to start programs in one: native/ptyhost/src/container.h. Pure. */

import type { Layer, Mount } from '@agentpty/protocol/gym'
import { wallProgram } from '../ptyhost/protocol.ts'

export interface ContainerWords {
  /** A folder of its own; layers are mounted there. */
  readonly stage: string
  /** In memory it may take so much; null: it lies on the disk. */
  readonly stageBytes: number | null
  readonly layers: readonly Layer[]
  readonly mounts: readonly Mount[]
  readonly rootBytes: number
  readonly hostname: string
  readonly hasNetwork: boolean
  readonly limits: ContainerLimits
}

export interface ContainerLimits {
  /** All processes together. */
  readonly memoryBytes: number
  readonly processes: number
  /** Of one file. */
  readonly fileBytes: number
}

export function containerWords(words: ContainerWords): string[] {
  const { hostname, hasNetwork, stage, stageBytes, rootBytes, layers, mounts, limits } = words
  const overlays = layers.flatMap(({ lowers }) => (lowers === null ? [] : [lowers]))
  return [
    ...['--hostname', hostname, '--network', hasNetwork ? 'on' : 'off'],
    ...['--memory', String(limits.memoryBytes), '--processes', String(limits.processes)],
    ...['--stage', stage, '--root-bytes', String(rootBytes)],
    ...(overlays.length === 0 || stageBytes === null ? [] : ['--stage-bytes', String(stageBytes)]),
    ...overlays.flatMap((lowers) => ['--overlay', lowers.map(escapedLower).join(':')]),
    ...mounts.flatMap(wordsFor),
    ...layerWords(layers),
  ]
}

/** Which are one file system, and which of several folders lies above, the kernel reads from these characters. */
const escapedLower = (path: string): string => path.replaceAll(/[\\:,]/g, (character) => `\\${character}`)

function layerWords(layers: readonly Layer[]): string[] {
  let overlay = 0
  return layers.flatMap(({ target, lowers, folder }) =>
    lowers === null ? ['--write', folder ?? '', target] : ['--layer', String(overlay++), target],
  )
}

function wordsFor(mount: Mount): string[] {
  switch (mount.kind) {
    case 'read':
      return ['--read', mount.source, mount.target]
    case 'write':
      return ['--write', mount.source, mount.target]
    case 'folder':
      return ['--folder', mount.mode, mount.target]
    case 'link':
      return ['--link', mount.source, mount.target]
  }
}

/** How a program is started inside on a terminal; it follows after the last word. */
export function terminalWords(address: string, cwd: string, limits: ContainerLimits): string[] {
  return [wallProgram, '--container', address, '--cwd', cwd, ...processLimits(limits), '--', '--']
}

/** The same on pipes. */
export function enterWords(address: string, cwd: string, limits: ContainerLimits): string[] {
  return ['--enter', address, '--cwd', cwd, ...processLimits(limits), '--']
}

function processLimits({ processes, fileBytes }: ContainerLimits): string[] {
  return ['--processes', String(processes), '--file-size', String(fileBytes)]
}
