/** What comes between a play and its verdict: what was played is written down, every program is ended, and what is to be kept is taken out. */

import type { Client } from '@agentpty/protocol'
import type { ArtifactManifest } from '@agentpty/protocol/gym'
import { withoutLinkedEntries } from '../tree/archive.ts'
import { artifactsOf, keepArtifacts, takeArtifacts } from './artifacts.ts'
import type { Inside } from './inside.ts'
import type { PlayLog } from './play-log.ts'
import type { PreparedTask } from './prepare-task.ts'
import type { VerifyParts } from './verify.ts'

export type TaskStep = PreparedTask['task']['task']['steps'][number]

export interface SettleParts {
  readonly client: Pick<Client, 'call'>
  readonly prepared: PreparedTask
  /** Null for a task without steps. */
  readonly step: TaskStep | null
  readonly inside: Inside
  readonly log: PlayLog
  /** For what the journal says of the play. */
  readonly agentFolder: string
  readonly artifactsFolder: string
}

export interface Settled extends Pick<VerifyParts, 'artifacts' | 'artifactPaths'> {
  readonly manifest: ArtifactManifest
}

/** Nothing runs inside any more. Errors: those of the machinery. */
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

/** What the task wants to be run after play; what fails is left out, as Harbor does, and said in its output. */
async function collect({ prepared, inside, step }: SettleParts): Promise<void> {
  const hooks = [...prepared.task.task.verifier.collect, ...(step?.verifier?.collect ?? [])]
  for (const { command, timeout_sec } of hooks) await inside.run(command, { timeoutMs: timeout_sec * 1_000 })
}
