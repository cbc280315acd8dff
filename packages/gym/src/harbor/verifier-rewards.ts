/**
 * Reads a verifier's decision from the files that it left in /logs/verifier: reward.json (a flat map of numbers, or one number) before
 * reward.txt (one number, which is the key `reward`). The exit code of its script says nothing.
 *
 * The folder was the agent's before it was the verifier's: {@link removeRewards} takes out what was planted there, before tests run.
 */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { TermError } from '@agentpty/protocol'
import { Rewards, rewardFileBytesMax } from '@agentpty/protocol/gym'
import { readBytesInside } from '../folder-files.ts'
import type { HarborTask } from './harbor-task.ts'

/** Errors of a trial whose verifier gave no reward. The last three are for callers that copy files and wait. */
export const verifierErrors = [
  'RewardFileNotFoundError',
  'RewardFileEmptyError',
  'VerifierOutputParseError',
  'AddTestsDirError',
  'DownloadVerifierDirError',
  'VerifierTimeoutError',
] as const
export type VerifierError = (typeof verifierErrors)[number]

export type VerifierVerdict =
  | { readonly outcome: 'rewarded'; readonly rewards: Readonly<Record<string, number>> }
  | { readonly outcome: 'failed'; readonly error: VerifierError; readonly message: string }

const fileNames = { json: 'reward.json', text: 'reward.txt' } as const
const hint = 'tests/test.sh writes one number into /logs/verifier/reward.txt, or a map of numbers into reward.json'

/** Reads the verdict from the files; null: there is none of this name. */
export function verifierRewards({
  json,
  text,
}: Readonly<Record<keyof typeof fileNames, Uint8Array | null>>): VerifierVerdict {
  if (json !== null) return ofFile('json', json, rewardsInJson)
  if (text !== null) return ofFile('text', text, rewardsInText)
  return failed('RewardFileNotFoundError', `There is neither reward.json nor reward.txt; ${hint}.`)
}

/** `folder`: what the verifier sees as /logs/verifier. A file that is a link, a pipe or too long counts as one that cannot be read. */
export function readVerifierRewards(folder: string): VerifierVerdict {
  try {
    const read = (name: string) => readBytesInside(folder, name, rewardFileBytesMax)
    const json = read(fileNames.json)
    return verifierRewards({ json, text: json === null ? read(fileNames.text) : null })
  } catch (error) {
    if (error instanceof TermError) return failed('VerifierOutputParseError', error.message)
    throw error
  }
}

/** Removes old rewards before the verifier runs, so that only its own files count. */
export function removeRewards(folder: string): void {
  for (const name of Object.values(fileNames)) rmSync(join(folder, name), { force: true, recursive: true })
}

type ReadRewards = (text: string) => Readonly<Record<string, number>> | string

function ofFile(kind: keyof typeof fileNames, bytes: Uint8Array, read: ReadRewards): VerifierVerdict {
  const name = fileNames[kind]
  if (bytes.length > rewardFileBytesMax)
    return failed('VerifierOutputParseError', `${name} is longer than ${rewardFileBytesMax} bytes.`)
  const text = Buffer.from(bytes).toString('utf8')
  if (text.trim() === '') return failed('RewardFileEmptyError', `${name} is empty; ${hint}.`)
  const rewards = read(text)
  if (typeof rewards === 'string') return failed('VerifierOutputParseError', `${name} ${rewards}.`)
  return { outcome: 'rewarded', rewards }
}

const failed = (error: VerifierError, message: string): VerifierVerdict => ({ outcome: 'failed', error, message })

function rewardsInText(text: string): Readonly<Record<string, number>> | string {
  const number = finiteNumber(text)
  return number === null
    ? `holds ${JSON.stringify(text.trim().slice(0, 40))}, which is no finite number`
    : { reward: number }
}

/** Parses a number as a person writes it: no hexadecimal, no blank, no infinity. */
function finiteNumber(text: string): number | null {
  if (!/^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(text)) return null
  const number = Number(text)
  return Number.isFinite(number) ? number : null
}

function rewardsInJson(text: string): Readonly<Record<string, number>> | string {
  const value = parse(text)
  if (value === undefined) return 'is no JSON'
  // 1e999 is JSON, and infinite.
  if (typeof value === 'number') return Number.isFinite(value) ? { reward: value } : 'holds a number that is not finite'
  const rewards = Rewards.safeParse(value)
  if (!rewards.success) return 'is neither a number nor a flat map of finite numbers'
  return Object.keys(rewards.data).length === 0 ? 'holds no reward' : rewards.data
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Said by the caller, with the file's name.
    return undefined
  }
}

// The environment of a verifier: the agent's, or one of its own.

type VerifierPlace =
  | { readonly kind: 'shared' }
  /** `environment`: its own, or a fresh copy of the task's. */
  | { readonly kind: 'separate'; readonly environment: HarborTask['environment'] }

/** `step`: of a task that has several; what it does not say is as in the task. */
export function verifierPlace(task: HarborTask, step: HarborTask['steps'][number] | null = null): VerifierPlace {
  const own = step?.verifier ?? null
  const speaks = own !== null && (own.environment_mode !== null || own.environment !== null) ? own : task.verifier
  const { environment_mode: mode, environment } = speaks
  const isSeparate = mode === 'separate' || (mode === null && environment !== null)
  return isSeparate ? { kind: 'separate', environment: environment ?? task.environment } : { kind: 'shared' }
}
