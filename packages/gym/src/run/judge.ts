/**
 * The verdict on a play that is safe to count: a reward of 0 is the player's, and not that of a verifier which could not do its work.
 *
 * A verifier without a verdict is run again in the task's untouched files. Without one there as well, the task or this machine is at fault.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isTermError, machineUnfit, TermError } from '@agentpty/protocol'
import { type ArtifactManifest, scriptBytesMax, verifierTextBytesMax } from '@agentpty/protocol/gym'
import { filesBelow, readBytesInside } from '../folder-files.ts'
import { oneReward } from '../harbor/step-rewards.ts'
import type { VerifierVerdict } from '../harbor/verifier-rewards.ts'
import { Inside } from './inside.ts'
import { phaseNetworks } from './network-need.ts'
import { prepareInside, prepareStep } from './prepare-inside.ts'
import { hasCommand, networkIn } from './prepare-task.ts'
import { artifactsOf, type Settled, type SettleParts, settle, takeArtifacts } from './settle.ts'
import { type VerifyParts, verify } from './verify.ts'

export type Judgement =
  | VerifierVerdict
  /** The verifier could not do its work: the play says nothing of the player. */
  | ({ readonly outcome: 'broken' } & VerifierFault)

interface JudgeParts extends VerifyParts {
  /** The player does what the task's author calls right. */
  readonly isSolution: boolean
}

interface PlayJudgement {
  readonly verdict: Judgement
  readonly manifest: ArtifactManifest
}

/**
 * Settles a play and judges it. When files cannot be moved in or out afterwards, the same is tried with the task's untouched files. If that
 * works, the player is at fault: breaking the container must not exclude a player from the mean. Errors: those of the machinery.
 */
export async function judgePlay(parts: SettleParts & Omit<JudgeParts, keyof Settled>): Promise<PlayJudgement> {
  try {
    const settled = await settle(parts)
    return { manifest: settled.manifest, verdict: await judge({ ...parts, ...settled }) }
  } catch (error) {
    const isOfFiles = isTermError(error) && (error.code === 'machine_unfit' || error.code === 'limit_reached')
    if (!isOfFiles) throw error
    const { isDecided } = await playUntouched({ ...parts, artifacts: Buffer.alloc(0), artifactPaths: [] })
    if (!isDecided) throw error
    const message = `After the play files could not be moved in or out, which works in untouched files: ${error.message}`
    return { manifest: [], verdict: { outcome: 'failed', error: 'DownloadVerifierDirError', message } }
  }
}

/** Errors: those of the machinery. */
async function judge(parts: JudgeParts): Promise<Judgement> {
  const verdict = await verify(parts)
  if (verdict.outcome === 'rewarded' && oneReward(verdict.rewards) > 0) return verdict
  const fault = verifierFault(factsOf(parts, parts.folder))
  const own = parts.isSolution ? (fault ?? lackOfImage(parts)) : null
  if (own !== null) return { outcome: 'broken', ...own }
  if (verdict.outcome === 'rewarded' && fault === null) return verdict
  // The player's programs may print the same words, which are not printed in untouched files.
  const untouched = await playUntouched(parts)
  if (fault !== null && untouched.fault !== null) return { outcome: 'broken', ...fault }
  if (verdict.outcome === 'rewarded' || untouched.isDecided) return verdict
  return {
    outcome: 'broken',
    message: `The verifier gives no reward, in the untouched files of the task either. ${verdict.error}: ${verdict.message}`,
    hint: 'Correct tests/test.sh: it must write a reward whatever the player has done, within its time.',
  }
}

/** A solution that fails without its image says nothing about any player. */
function lackOfImage({ prepared }: JudgeParts): VerifierFault | null {
  if (prepared.image === null) return null
  return {
    message: `The task's own solution gets no reward here, where its image ${prepared.image} is not used.`,
    hint: 'Play it with Harbor and Docker, or put what it lacks into environment/ and COPY it.',
  }
}

/** `folder`: where the verifier's output is. */
function factsOf({ prepared, step, options }: VerifyParts, folder: string) {
  const { task } = prepared
  const own = step === null ? [] : [`steps/${step.name}`]
  const texts = (paths: readonly string[]) => textOf(task.folder, paths)
  return {
    output: textOf(folder, ['test-stdout.txt']),
    testsText: texts(['tests', ...own.map((path) => `${path}/tests`)]),
    taskText: [
      ...['instruction.md', 'solution', 'environment'].flatMap((path) => filesBelow(task.folder, path)),
      texts(['instruction.md', 'solution', 'environment/Dockerfile']),
      ...own.map((path) => texts([`${path}/instruction.md`, `${path}/solution`])),
    ].join('\n'),
    hasNetwork: networkIn(phaseNetworks(task.task).verifier, options) === 'on',
    hasCommand,
  }
}

/** The text of all files there, up to a bound. */
function textOf(folder: string, paths: readonly string[]): string {
  const parts: string[] = []
  let length = 0
  for (const path of paths.flatMap((one) => filesBelow(folder, one))) {
    const text = readSmall(folder, path)
    length += text.length
    if (length > verifierTextBytesMax) break
    parts.push(text)
  }
  return parts.join('\n')
}

/** A file that is longer than any script is none. */
function readSmall(folder: string, path: string): string {
  try {
    return readBytesInside(folder, path, scriptBytesMax)?.toString('latin1') ?? ''
  } catch (error) {
    if (error instanceof TermError && error.code === 'limit_reached') return ''
    throw error
  }
}

/** `isDecided`: the verifier gives a reward in untouched files. `fault`: the reason why it cannot work there. */
async function playUntouched(parts: VerifyParts) {
  const { client, prepared, step, options } = parts
  const folder = mkdtempSync(join(options.folder, 'untouched-'))
  const inside = await Inside.make(client, { ...prepared.spec, program: ['sleep', 'infinity'], stepTimeoutMs: 0 })
  try {
    const { info } = await inside.reset()
    if (info.infraError !== undefined) throw machineUnfit(info.infraError.message, 'Try again.')
    await prepareInside(inside, prepared)
    if (step !== null) await prepareStep(inside, prepared, step)
    const wanted = artifactsOf(prepared.task.task, prepared.spec.workdir, step?.artifacts)
    const artifacts = await takeArtifacts(inside, wanted)
    const { outcome } = await verify({ ...parts, inside, artifacts, folder })
    return { isDecided: outcome === 'rewarded', fault: verifierFault(factsOf(parts, folder)) }
  } finally {
    await inside.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface VerifierFacts {
  /** The output of tests/test.sh. */
  readonly output: string
  /** The text of all scripts and programs of the tests. */
  readonly testsText: string
  /** The instruction and the solution. */
  readonly taskText: string
  readonly hasNetwork: boolean
  readonly hasCommand: (name: string) => boolean
}

interface VerifierFault {
  readonly message: string
  readonly hint: string
}

/**
 * Signs that a verifier could not do its work, so that its decision says nothing about the player.
 *
 * The player's own programs may print the same words. A missing command counts only if the tests name it, this machine lacks it, and the
 * player did not have to make it. An unreachable host counts only if the tests use the network.
 *
 * Null where the verifier did its work, as far as its output shows.
 */
function verifierFault(facts: VerifierFacts): VerifierFault | null {
  const line = facts.hasNetwork || !reachesOut.test(facts.testsText) ? null : firstLine(facts.output, networkFailures)
  if (line !== null)
    return {
      message: `The verifier could not reach the network: ${line}`,
      hint: 'Allow it: --allow-network, or {"network":"on"} of an environment.',
    }
  const name = missingTool(facts)
  if (name === null) return null
  return {
    message: `The verifier needs ${name}, which is not on this machine.`,
    hint: `Install ${name} for all users of this machine, or put it into the task.`,
  }
}

const reachesOut =
  /\b(?:curl|wget)\b|\b(?:https?|ftp):\/\/(?!localhost|127\.|0\.0\.0\.0|\[::1\])|\b(?:install|update|clone|uvx|npx)\b/

/** Messages of libc, curl, apt, Python, Node, Go and Rust when name resolution or a connection fails without a network. */
const networkFailures =
  /could not resolve (?:host|proxy)|temporary failure (?:in name resolution|resolving)|name or service not known|nodename nor servname|network is unreachable|getaddrinfo (?:eai_again|enotfound)|no such host|failed to lookup address|dns error|unable to resolve host/i

const lineCharactersMax = 200

function firstLine(output: string, pattern: RegExp): string | null {
  const line = output.split('\n').find((one) => pattern.test(one))
  return line === undefined ? null : line.trim().slice(0, lineCharactersMax)
}

/** bash, dash, env, `python -m`, and imports of Python. */
const missingCommands =
  /(?:^|: )([\w.+-]+): (?:command )?not found$|env: [‘'"]?([\w.+-]+)[’'"]?: No such file or directory$/
const missingModules = /No module named ['"]?([A-Za-z_]\w*)/

function missingTool({ output, testsText, taskText, hasCommand }: VerifierFacts): string | null {
  const isTool = (name: string) => hasWord(testsText, name) && !hasWord(taskText, name)
  for (const line of output.split('\n')) {
    if (line.length > lineLengthMax) continue
    const [, first, second] = missingCommands.exec(line.trimEnd()) ?? []
    const command = first ?? second
    if (command !== undefined && isTool(command) && !hasCommand(command)) return command
    const [, module] = missingModules.exec(line) ?? []
    if (module !== undefined && isTool(module)) return `the Python module ${module}`
  }
  return null
}

/** No shell's or Python's complaint is longer. */
const lineLengthMax = 2_000

const hasWord = (text: string, word: string): boolean =>
  text.split(/[^\w.+-]+/).some((one) => one === word || one.split('.')[0] === word)
