/** What a task wants to keep of its environment: taken out after play, for the trial's folder and for a verifier of its own. */

import { execFile } from 'node:child_process'
import { lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { TermError } from '../../../contracts/errors.ts'
import type { HarborTask } from '../../../contracts/gym/harbor-task.ts'
import type { ArtifactManifest } from '../../../contracts/gym/trial-result.ts'
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

/** Into the trial's folder, each at its own place. Links are not followed and not made. Errors: `environment`. */
export async function keepArtifacts(
  archive: Uint8Array,
  artifacts: readonly Artifact[],
  folder: string,
): Promise<ArtifactManifest> {
  if (artifacts.length === 0) return []
  mkdirSync(folder, { recursive: true })
  const kept: ArtifactManifest[number][] = []
  for (const { source, destination } of artifacts) {
    const rename = `s|^${escaped(source.slice(1))}|${destination.replaceAll(/[\\|&]/g, '\\$&')}|`
    await unpackHere(archive, folder, ['--transform', rename, source.slice(1)])
    const stat = lstatSync(join(folder, destination), { throwIfNoEntry: false })
    const isEmpty = stat?.isDirectory() === true && readdirSync(join(folder, destination)).length === 0
    const status = stat === undefined ? 'failed' : isEmpty ? 'empty' : 'ok'
    kept.push({ source, destination, type: stat?.isDirectory() === true ? 'directory' : 'file', status })
  }
  return kept
}

const escaped = (path: string): string => path.replaceAll(/[\\|&.*^$[\]]/g, '\\$&')

/** `words`: what of it. What is not in it is left out, which whoever looks afterwards sees. Errors: `environment`. */
export function unpackHere(archive: Uint8Array, folder: string, words: readonly string[] = []): Promise<void> {
  const safe = ['-x', '--no-same-owner', '--no-same-permissions', '--keep-old-files', '-C', folder, '-f', '-']
  return new Promise((resolve, reject) => {
    const tar = execFile('tar', [...safe, ...words], { maxBuffer: 1 << 20 }, (error) => {
      // 2: something of what was named is not there.
      if (error === null || error.code === 2 || error.code === 1) resolve()
      else
        reject(
          new TermError('environment', `${folder} could not be filled: ${error.message}.`, 'Make room on the disk.'),
        )
    })
    // It ends before it has read all where it needs no more.
    tar.stdin?.on('error', () => undefined)
    tar.stdin?.end(archive)
  })
}
