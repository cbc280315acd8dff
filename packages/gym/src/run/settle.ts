/** The work between a play and its verdict: the play is written down, every program is ended, and artifacts are taken out. */

import { mkdirSync } from 'node:fs'
import { posix } from 'node:path'
import type { ArtifactManifest } from '@agentpty/protocol/gym'
import type { HarborTask } from '../harbor/harbor-task.ts'
import { type ArchiveEntry, readArchive, withoutLinkedEntries } from '../tree/archive.ts'
import { unpackBelow } from '../tree/pack.ts'
import { partsOf } from '../tree/resolve.ts'
import type { Inside } from './inside.ts'
import type { PlayLog } from './play-log.ts'
import type { PreparedTask } from './prepare-task.ts'
import type { VerifyParts } from './verify.ts'

export type TaskStep = PreparedTask['task']['task']['steps'][number]

export interface SettleParts extends Pick<VerifyParts, 'client' | 'prepared' | 'step' | 'inside' | 'agentFolder'> {
  readonly log: PlayLog
  readonly artifactsFolder: string
}

export interface Settled extends Pick<VerifyParts, 'artifacts' | 'artifactPaths'> {
  readonly manifest: ArtifactManifest
}

/** Settles a play; afterwards nothing runs inside. Errors: those of the machinery. */
export async function settle(parts: SettleParts): Promise<Settled> {
  const { client, prepared, step, inside, log, agentFolder, artifactsFolder } = parts
  await log.write(client, agentFolder)
  await collect(parts)
  await inside.sweep()
  await inside.restoreFolders()
  const wanted = artifactsOf(prepared.task.task, prepared.spec.workdir, step?.artifacts)
  const artifacts = withoutLinkedEntries(await takeArtifacts(inside, wanted))
  const manifest = await keepArtifacts(artifacts, wanted, artifactsFolder)
  return { artifacts, artifactPaths: wanted.map(({ source }) => source), manifest }
}

/** Runs the commands that the task wants after the play. A failed one is left out, as in Harbor, and reported in its output. */
async function collect({ prepared, inside, step }: SettleParts): Promise<void> {
  const hooks = [...prepared.task.task.verifier.collect, ...(step?.verifier?.collect ?? [])]
  for (const { command, timeout_sec } of hooks) await inside.run(command, { timeoutMs: timeout_sec * 1_000 })
}

// Artifacts that a task keeps of its environment. They are taken out after the play, for the trial's folder and a separate verifier.

interface Artifact {
  /** Absolute, inside. */
  readonly source: string
  /** The path below the folder of artifacts. */
  readonly destination: string
  readonly exclude: readonly string[]
}

/** Files that a task puts here are kept without being named, as in Harbor: in the folder of artifacts itself. */
const conventional: Artifact = { source: '/logs/artifacts', destination: '.', exclude: [] }

/** `also`: of a step. Paths that are not absolute are from the working folder. */
export function artifactsOf(task: HarborTask, workdir: string, also: HarborTask['artifacts'] = []) {
  const named = [...task.artifacts, ...also].map((artifact) => {
    const { source, destination = null, exclude = [] } = typeof artifact === 'string' ? { source: artifact } : artifact
    const path = posix.resolve(workdir, source)
    return { source: path, destination: destination ?? path.slice(1), exclude }
  })
  const isNamed = named.some(({ source }) => source === conventional.source)
  return isNamed ? named : [conventional, ...named]
}

/** Returns one archive of all of them, with their paths inside. Errors: `machine_unfit`, `limit_reached`. */
export function takeArtifacts(inside: Inside, artifacts: readonly Artifact[]): Promise<Buffer> {
  return inside.take(
    artifacts.map(({ source }) => source),
    artifacts.flatMap(({ exclude }) => exclude),
  )
}

/** Writes each below the trial's folder. Links are not followed and not made. Errors: `machine_unfit` for what is no archive. */
function keepArtifacts(archive: Buffer, artifacts: readonly Artifact[], folder: string): ArtifactManifest {
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

/** The list of artifacts is in the same folder. */
const isManifest = ([first]: readonly Buffer[]): boolean => first?.toString() === manifestName
const manifestName = 'manifest.json'

const isBelow = ({ path }: ArchiveEntry, parts: readonly Buffer[]): boolean =>
  parts.every((part, at) => path[at]?.equals(part) === true)
