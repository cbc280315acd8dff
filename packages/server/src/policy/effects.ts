/** The effects of a line on this disk and the network, in sentences for the person who decides. */

import { homedir } from 'node:os'
import { relative } from 'node:path'
import { TermError } from '@agentpty/protocol'
import { type Approval, effectMsMax, repeatByTool, shownText } from '@agentpty/protocol/approvals'
import { defaultProfile, type Judgement, statOf, type Touches } from '@agentpty/shell-policy'
import { counted, type FileCount } from './file-count.ts'
import type { JudgedCall } from './judge-start.ts'

const sentencesMax = 8
const pathMax = 200

/** Returns the effects, without those that cannot be inspected. `now`: a clock in milliseconds; the inspection takes a bounded time. */
export function effectsOf({ removed, written, hosts }: Touches, cwd: string, now: () => number): readonly string[] {
  const until = now() + effectMsMax
  const shown = (path: string) => shownText(shortened(path, cwd), pathMax)
  const sentences = [
    ...removed.map((path) =>
      removal(
        shown(path),
        counted(path, () => now() > until),
      ),
    ),
    ...written.flatMap((path) => writing(shown(path), path)),
    ...(hosts.length === 0 ? [] : [`talks to ${hosts.map((host) => shownText(host, pathMax)).join(', ')}`]),
  ]
  const more = sentences.length - sentencesMax
  return more > 0 ? [...sentences.slice(0, sentencesMax), `and ${more} more`] : sentences
}

function removal(name: string, { files, bytes, tracked, isCut, isFolder }: FileCount): string {
  if (files === 0) return isFolder ? `deletes ${name}, which holds no files` : `finds nothing to delete at ${name}`
  const count = `${isCut ? 'more than ' : ''}${files.toLocaleString('en')} file${files === 1 ? '' : 's'}`
  const what =
    files === 1 && !isFolder ? `deletes ${name} (${sizeOf(bytes)})` : `deletes ${count} in ${name} (${sizeOf(bytes)})`
  if (tracked === null) return what
  if (tracked === 0) return `${what}, none tracked by git`
  return files === 1 ? `${what}, tracked by git` : `${what}, ${tracked.toLocaleString('en')} tracked by git`
}

/** How many files a path stands for, in a sentence. */
export function countedFiles(path: string, isLate: () => boolean): string {
  const { files, bytes, tracked, isCut, isFolder } = counted(path, isLate)
  if (files === 0) return isFolder ? 'a folder without files' : 'nothing is there'
  const count = `${isCut ? 'more than ' : ''}${files.toLocaleString('en')} file${files === 1 ? '' : 's'}, ${sizeOf(bytes)}`
  return tracked === null ? count : `${count}, ${tracked === 0 ? 'none' : tracked.toLocaleString('en')} tracked by git`
}

function writing(name: string, path: string): readonly string[] {
  if (path.includes('*')) return []
  const stat = statOf(path)
  if (stat === null) return [`creates ${name}`]
  return stat.isFile() ? [`writes to ${name}, which is there (${sizeOf(stat.size)})`] : []
}

function shortened(path: string, cwd: string): string {
  const below = relative(cwd, path)
  if (below !== '' && !below.startsWith('..')) return below
  const home = homedir()
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path
}

function sizeOf(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`
  const units = ['kB', 'MB', 'GB', 'TB']
  const step = Math.min(Math.floor(Math.log10(bytes) / 3), units.length)
  return `${(bytes / 1_000 ** step).toFixed(1).replace(/\.0$/, '')} ${units[step - 1]}`
}

const shownMax = 200
const fileMax = 300

/** Returns the id of a rule for `agentpty policy why ID`. */
const named = (id: string | null) => (id === null ? '' : ` [${id}]`)

/** The errors by which a call is refused: each says what decided, where that is written, and the next move. */
export function deniedByPolicy(
  { judgement, profile }: Pick<JudgedCall, 'judgement' | 'profile'>,
  id: string | null,
): TermError {
  const { rule, resolved, reason, source } = judgement
  const where =
    source === 'built-in' ? '' : ` It is written in ${shownText(source.file, fileMax)}, line ${source.line}.`
  return new TermError(
    'denied',
    `The policy refuses this (${rule}): ${shownText(resolved, shownMax)}${named(id)}`,
    `${reason}${where}`,
    { rule, source, profile: profile?.value ?? defaultProfile },
  )
}

export function deniedByPerson({ resolved }: Judgement, id: string | null): TermError {
  const what = shownText(resolved, shownMax)
  const hint = 'Do without it, or ask them what to do instead.'
  return new TermError('not_approved', `A person has said no: ${what}${named(id)}`, hint)
}

interface Repeated {
  /** For the agent; the approval has that for the person. */
  readonly reason: string
  /** The tool that the caller has called, and calls again once there is an answer. */
  readonly tool: string
  readonly id: string | null
}

export function needsApproval(
  { approvalId, rule, resolved, effects }: Approval,
  { reason, tool, id }: Repeated,
): TermError {
  const lines = [
    `A person must allow this first (${rule}): ${resolved}${named(id)}`,
    ...effects.map((effect) => `→ ${effect}`),
    `It was not done; they are asked as ${approvalId}.`,
  ]
  return new TermError(
    'needs_approval',
    lines.join('\n'),
    `${reason} Once they have allowed it (they look with: agentpty approvals), ${repeatByTool(tool)}; or do without it.`,
  )
}
