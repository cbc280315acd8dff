/** The files that the rules of the policy come from: what is wrong in them, and who may write them. */

import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { PolicyFileState, PolicyProblem } from '@agentpty/protocol/policy'
import type { FindingMark } from '@agentpty/protocol/setup'
import { ok, type Seen, type Subject, trippedOver, warn, wrong } from './check.ts'

const problemsMax = 20 // lines; `agentpty policy files` shows all

/** One line when all is well, and one for everything that is not. */
export function examinePolicy({ policyFiles, userId }: Pick<Subject, 'policyFiles' | 'userId'>): readonly Seen[] {
  try {
    const files = policyFiles().filter(({ state }) => state !== 'absent')
    const problems = files.flatMap((file) => [...file.problems.map(seenOf), ...writable(file, userId)])
    return problems.length > 0 ? problems.slice(0, problemsMax) : [ok(summaryOf(files))]
  } catch (error) {
    return [trippedOver(error, 'Mend it: agentpty policy files')]
  }
}

function summaryOf(files: readonly PolicyFileState[]): string {
  const rules = files.reduce((sum, file) => sum + file.rules, 0)
  return rules === 0
    ? 'as it is built in'
    : `${rules} rule${rules === 1 ? '' : 's'} of ${files.map(({ path }) => path).join(', ')}`
}

const marks: Readonly<Record<PolicyProblem['mark'], FindingMark>> = {
  wrong: 'wrong',
  ignored: 'hint',
  doubtful: 'warn',
}

function seenOf({ file, line, mark, found, advice }: PolicyProblem): Seen {
  return { mark: marks[mark], found: `${file}:${line}: ${found}`, advice }
}

/** Whoever may write the file, or put another in its place, makes the rules. */
function writable({ path, kind }: PolicyFileState, userId: number): readonly Seen[] {
  return [path, dirname(path)].flatMap((name): readonly Seen[] => {
    const stat = statSync(name, { throwIfNoEntry: false })
    if (stat === undefined) return []
    const isForeign = stat.uid !== userId && stat.uid !== 0
    if (isForeign)
      return [(kind === 'user' ? wrong : warn)(`${name} belongs to another user`, 'Copy it, or remove it.')]
    // In a folder like /tmp only the owner of a file replaces it.
    const isShared = (stat.mode & 0o022) !== 0 && !(stat.isDirectory() && (stat.mode & 0o1000) !== 0)
    return isShared ? [warn(`other users may write ${name}`, `chmod go-w ${name}`)] : []
  })
}
