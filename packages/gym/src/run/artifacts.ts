/** What a task wants to keep of its environment: taken out after play, for the trial's folder and for a verifier of its own. */

import { mkdirSync } from 'node:fs'
import { posix } from 'node:path'
import type { ArtifactManifest } from '@agentpty/protocol/gym'
import type { HarborTask } from '../harbor/harbor-task.ts'
import { type ArchiveEntry, readArchive } from '../tree/archive.ts'
import { unpackBelow } from '../tree/pack.ts'
import { partsOf } from '../tree/resolve.ts'
import type { Inside } from './inside.ts'

export interface Artifact {
  /** Absolute, inside. */
  readonly source: string
  /** Below the folder of artifacts. */
  readonly destination: string
  readonly exclude: readonly string[]
}

/** What a task puts here is kept without being named, as with Harbor: in the folder of artifacts itself. */
const conventional: Artifact = { source: '/logs/artifacts', destination: '.', exclude: [] }

/** `also`: of a step. Paths that are not absolute are from the working folder. */
export function artifactsOf(
  task: HarborTask,
  workdir: string,
  also: HarborTask['artifacts'] = [],
): readonly Artifact[] {
  const named = [...task.artifacts, ...also].map((artifact) => {
    const { source, destination = null, exclude = [] } = typeof artifact === 'string' ? { source: artifact } : artifact
    const path = posix.resolve(workdir, source)
    return { source: path, destination: destination ?? path.slice(1), exclude }
  })
  const isNamed = named.some(({ source }) => source === conventional.source)
  return isNamed ? named : [conventional, ...named]
}

/** One archive of all of them, with their paths inside. Errors: `environment`, `limit_reached`. */
export function takeArtifacts(inside: Inside, artifacts: readonly Artifact[]): Promise<Buffer> {
  return inside.take(
    artifacts.map(({ source }) => source),
    artifacts.flatMap(({ exclude }) => exclude),
  )
}

/** Writes each below the trial's folder. Links are not followed and not made. Errors: `environment` for what is no archive. */
export function keepArtifacts(archive: Buffer, artifacts: readonly Artifact[], folder: string): ArtifactManifest {
  if (artifacts.length === 0) return []
  mkdirSync(folder, { recursive: true })
  const { entries, refused } = readArchive(archive)
  return artifacts.map(({ source, destination }) => {
    const from = partsOf(Buffer.from(source))
    const { written, failed } = unpackBelow(entries, from, partsOf(Buffer.from(destination)), folder, isManifest)
    const [first, second] = entries.filter((entry) => isBelow(entry, from))
    const isFolder = first?.kind === 'folder'
    const isEmpty = isFolder && second === undefined
    const status = written === 0 || failed > 0 || refused > 0 ? 'failed' : isEmpty ? 'empty' : 'ok'
    return { source, destination, type: isFolder ? 'directory' : 'file', status }
  })
}

/** The list of artifacts lies in the same folder. */
const isManifest = ([first]: readonly Buffer[]): boolean => first?.toString() === manifestName
const manifestName = 'manifest.json'

const isBelow = ({ path }: ArchiveEntry, parts: readonly Buffer[]): boolean =>
  parts.every((part, at) => path[at]?.equals(part) === true)
