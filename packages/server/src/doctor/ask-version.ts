/** Asks a program for its version: `PROGRAM --version`, without a shell and without an input, and ends it with all it has started. */

import { type ChildProcess, spawn } from 'node:child_process'
import { searchableText } from '@agentpty/engine/waits'
import { versionAnswerMs, versionBytesMax } from '@agentpty/protocol'
import type { Subject } from './check.ts'
import { Complaint } from './complaint.ts'
import { endOf, endProgram } from './end-program.ts'

export type AskedVersion =
  | { readonly version: string; readonly problem: null }
  | { readonly version: null; readonly problem: string }

export async function askVersion(path: string, { clock, env }: Pick<Subject, 'clock' | 'env'>): Promise<AskedVersion> {
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe']
  // A group of its own, so that what it starts can be ended with it.
  const child = spawn(path, ['--version'], { env: { ...env }, stdio, detached: true })
  const ended = endOf(child)
  try {
    return await answerOf(child, clock)
  } finally {
    await endProgram(child, ended, clock)
  }
}

function answerOf(child: ChildProcess, clock: Subject['clock']): Promise<AskedVersion> {
  const complaint = new Complaint()
  let said = ''
  return new Promise((resolve) => {
    const give = (answer: AskedVersion) => {
      cancelTimer()
      resolve(answer)
    }
    const none = (why: string) => give({ version: null, problem: `${why}${complaint.quoted}` })
    const cancelTimer = clock.callAt(clock.now() + versionAnswerMs, () =>
      none(`does not say its version within ${versionAnswerMs / 1_000} s`),
    )
    child.stdout?.on('data', (bytes: Buffer) => {
      said += searchableText(bytes.subarray(0, versionBytesMax))
      if (said.length >= versionBytesMax) none('says no version, but much else')
    })
    child.stderr?.on('data', (bytes: Buffer) => complaint.add(bytes))
    child.once('error', (error) => none(error.message))
    child.once('close', (code, signal) => {
      const version = versionIn(said)
      if (version === null) none(`does not say its version, and ends with ${signal ?? code}`)
      else give({ version, problem: null })
    })
  })
}

/**
 * The number alone; a first line that has none as it is. Null where nothing is said.
 *
 * @example versionIn('GitHub Copilot CLI 1.0.102.\nRun it.') // '1.0.102'
 */
export function versionIn(said: string): string | null {
  const [first] = said.split('\n').filter((line) => line.trim() !== '')
  if (first === undefined) return null
  return /\d+(?:\.\d+)+(?:[-+][\w.]*\w)*/.exec(said)?.[0] ?? first.trim().slice(0, 40)
}
