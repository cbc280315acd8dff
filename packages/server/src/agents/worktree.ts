/** A git worktree for an agent: a folder beside the repository, on a branch of its own. What is not committed is not in it, and is not touched. */

import { basename, dirname, join, relative } from 'node:path'
import { quote } from '@agentpty/engine/host'
import { isTermError, TermError } from '@agentpty/protocol'
import type { AgentTerminals, Worktree } from '@agentpty/protocol/agents'

export interface MadeWorktree extends Worktree {
  /** The folder in it that is like the one it was made for. */
  readonly cwd: string
  /** Of the repository. */
  readonly root: string
}

/** Git copies a large repository within this time (ms). */
const gitMsMax = 50_000
/** How many names are tried. */
const namesMax = 1_000

/** `name` null: the next free one of `like`. Errors: `invalid_input` outside of a repository and for a name that is taken; `environment`. */
export async function makeWorktree(
  { cwd, name, like }: { readonly cwd: string; readonly name: string | null; readonly like: string },
  terminals: AgentTerminals,
): Promise<MadeWorktree> {
  const top = await git('rev-parse --show-toplevel', cwd, terminals)
  if (top.exitCode !== 0)
    throw new TermError('invalid_input', `${cwd} is in no git repository.`, 'Leave out the worktree.')
  const root = top.output.trim()
  const branch = name ?? (await freeName(like, root, terminals))
  const path = pathOf(root, branch)
  const made = await git(`worktree add -b ${quote(branch)} ${quote(path)} HEAD`, root, terminals)
  if (made.exitCode !== 0) {
    const why = made.output.trim().split('\n').at(-1) ?? ''
    throw new TermError('invalid_input', `git made no worktree ${path}: ${why}`, 'Choose another name.')
  }
  return { path, branch, root, cwd: join(path, relative(root, cwd)) }
}

/**
 * Takes back what was made a moment ago for an agent that was not started. False where it stays: git keeps a folder in which something has
 * changed and a branch with commits of its own, somebody works there, or the caller may start nothing more.
 */
export async function removeWorktree(
  { path, branch, root }: MadeWorktree,
  terminals: AgentTerminals,
): Promise<boolean> {
  try {
    const listed = await terminals.listAll()
    if (listed.some(({ cwd }) => cwd === path || cwd.startsWith(`${path}/`))) return false
    const words = `worktree remove ${quote(path)} && git branch -d ${quote(branch)}`
    return (await git(words, root, terminals)).exitCode === 0
  } catch (error) {
    if (!isTermError(error)) throw error
    return false
  }
}

const pathOf = (root: string, branch: string) => join(dirname(root), `${basename(root)}-${branch}`)

async function freeName(like: string, root: string, terminals: AgentTerminals): Promise<string> {
  const listed = await git('branch --list --all --format="%(refname:short)"; ls -1 ..', root, terminals)
  const taken = new Set(listed.output.split('\n').map((line) => line.trim()))
  const names = Array.from({ length: namesMax }, (_none, index) => `${like}-${index + 1}`)
  const free = names.find((one) => !taken.has(one) && !taken.has(basename(pathOf(root, one))))
  if (free !== undefined) return free
  throw new TermError('invalid_input', `There are ${namesMax} branches like ${like}-1.`, 'Name the worktree.')
}

/** On a busy machine a program that only sleeps may look as if it asked something. */
async function untilEnded(terminalId: string, { call }: AgentTerminals) {
  const { terminals } = await call('wait', { terminalIds: [terminalId], waitFor: 'exit', waitTimeoutMs: gitMsMax })
  const { output } = await call('read', { terminalId, since: 0 })
  return { ...terminals[0], output }
}

/** As its caller would run it: judged, noted, and within the caller’s walls. */
async function git(words: string, cwd: string, terminals: AgentTerminals) {
  const { terminalId, ...ran } = await terminals.call('run', { command: `git ${words}`, cwd, timeoutMs: gitMsMax })
  const ended = ran.state === 'exited' ? ran : await untilEnded(terminalId, terminals)
  // The terminal in which it ran is of no more use, whether it has ended or not.
  await terminals.call('close', { terminalId }).catch(() => undefined)
  if (ended.state === 'exited') return ended
  throw new TermError('environment', `git ${words} did not end in ${cwd}.`, 'Try it in a terminal.')
}
