/** The verdict on a play: tests/test.sh runs after all programs have ended, and its files in /logs/verifier count, not its exit code. */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, invalidInput, machineUnfit } from '@agentpty/protocol'
import { rewardFileBytesMax } from '@agentpty/protocol/gym'
import { hasFolder } from '../folder-files.ts'
import { resolveVariables } from '../harbor/host-variables.ts'
import { type VerifierVerdict, verifierPlace, verifierRewards } from '../harbor/verifier-rewards.ts'
import { type ArchiveEntry, filterArchive, readArchive } from '../tree/archive.ts'
import { unpackBelow } from '../tree/pack.ts'
import { partsOf } from '../tree/resolve.ts'
import { writeWhole } from '../whole-file.ts'
import { Inside } from './inside.ts'
import { runCommands } from './prepare-inside.ts'
import { type PreparedTask, type PrepareOptions, prepareVerifier } from './prepare-task.ts'

export interface VerifyParts {
  readonly client: Pick<Client, 'call'>
  readonly prepared: PreparedTask
  readonly options: PrepareOptions
  /** Null for a task without steps. */
  readonly step: PreparedTask['task']['task']['steps'][number] | null
  /** Swept when the verifier begins. */
  readonly inside: Inside
  readonly artifacts: Buffer
  /** Their paths inside. */
  readonly artifactPaths: readonly string[]
  /** The folder with the journal of the play. */
  readonly agentFolder: string
  /** For what the verifier leaves. */
  readonly folder: string
  readonly timeoutSeconds: number
}

const verifierFolder = '/logs/verifier'

/** Errors: those of the machinery. */
export async function verify(parts: VerifyParts): Promise<VerifierVerdict> {
  const { prepared, step, client } = parts
  if (verifierPlace(prepared.task.task, step).kind === 'shared') {
    await parts.inside.clearVerifierFolders()
    return judged(parts, parts.inside)
  }
  const folder = mkdtempSync(join(parts.options.folder, 'verifier-'))
  const { spec, runs } = await prepareVerifier(prepared.task, { ...parts.options, folder })
  const inside = await Inside.make(client, spec)
  try {
    const { info } = await inside.reset()
    if (info.infraError !== undefined) throw machineUnfit(info.infraError.message, 'Try again.')
    await runCommands(inside, { task: prepared.task, spec, runs })
    // Files of the task that the player removed must be missing here, too.
    await inside.remove(parts.artifactPaths.filter((path) => !/^\/+tests(?:\/|$)/.test(path)))
    await inside.unpack(filterArchive(parts.artifacts, isNotTheVerifiers), '/')
    // An artifact may be a folder that holds it, and has just been replaced.
    await inside.makeVerifierFolder()
    await inside.put(parts.agentFolder, '.', '/logs/agent')
    return await judged(parts, inside)
  } finally {
    await inside.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A player must not write what decides about it: not the tests, and not the reward. */
function isNotTheVerifiers({ path, kind }: ArchiveEntry): boolean {
  const [first, second] = path.map(String)
  const isFolderOfBoth = path.length === 1 && kind !== 'folder' && (first === 'logs' || first === 'tests')
  return !isFolderOfBoth && first !== 'tests' && !(first === 'logs' && second === 'verifier')
}

async function judged(parts: VerifyParts, inside: Inside): Promise<VerifierVerdict> {
  const { prepared, step, folder, timeoutSeconds, options } = parts
  for (const tests of testFolders(parts)) await inside.put(prepared.task.folder, tests, '/tests')
  const own = resolveVariables({ ...prepared.task.task.verifier.env, ...step?.verifier?.env }, options.hostVariables)
  if (own.outcome === 'missing')
    throw invalidInput(
      `The verifier asks for variables that it is not given: ${own.names.join(', ')}.`,
      `Allow them: --host-env ${own.names.join(',')}; of an environment give them in the task’s hostEnv.`,
    )
  const { output, exitCode, droppedBytes } = await inside.run('chmod +x /tests/test.sh && /tests/test.sh </dev/null', {
    cwd: prepared.spec.workdir,
    env: own.env,
    timeoutMs: timeoutSeconds * 1_000,
  })
  const dropped = droppedBytes > 0 ? `\n[${droppedBytes} bytes more]\n` : ''
  writeWhole(join(folder, 'test-stdout.txt'), Buffer.concat([output, Buffer.from(dropped)]))
  if (exitCode === null)
    return {
      outcome: 'failed',
      error: 'VerifierTimeoutError',
      message: `tests/test.sh took more than ${timeoutSeconds} s.`,
    }
  const json = await inside.read(`${verifierFolder}/reward.json`, rewardFileBytesMax)
  const text = json === null ? await inside.read(`${verifierFolder}/reward.txt`, rewardFileBytesMax) : null
  mkdirSync(folder, { recursive: true })
  const { entries } = readArchive(await inside.take([verifierFolder]))
  unpackBelow(entries, partsOf(Buffer.from(verifierFolder)), [], folder)
  return verifierRewards({ json, text })
}

/** Paths from the task's folder: of the task, and of the step over them. */
function testFolders({ prepared: { task }, step }: VerifyParts): readonly string[] {
  const folders = ['tests', ...(step === null ? [] : [`steps/${step.name}/tests`])]
  const there = folders.filter((path) => hasFolder(task.folder, path))
  if (there.length > 0) return there
  throw invalidInput(`${task.folder} has no tests/.`, 'Write tests/test.sh, which writes the reward.')
}
