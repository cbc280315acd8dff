/** Agents that begin with a conversation that there is: forks of others, and those that have ended. */

import { basename, dirname, join, relative } from 'node:path'
import { quote } from '@agentpty/engine/host'
import { defined, invalidInput, isTermError, machineUnfit, TermError } from '@agentpty/protocol'
import type { Adapter, AgentTerminals, KeptAgent, Worktree } from '@agentpty/protocol/agents'
import type { ParsedVerbInput, VerbOutput } from '@agentpty/protocol/verbs'
import { type Spawning, spawnAgent } from './spawn.ts'
import type { GoesOn } from './start-of.ts'
import { begunConversations } from './transcripts/begun-conversations.ts'
import { transcriptFolder } from './transcripts/transcript.ts'

type ForkRequest = ParsedVerbInput<'fork'>
type Forked = VerbOutput<'fork'>

interface Source {
  readonly terminalId: string
  readonly agent: KeptAgent
  readonly adapter: Adapter
}

/** Errors: `invalid_input` for what is no agent, for a program that cannot, and for a worktree that cannot be; those of `spawn`. */
export async function forkAgent(
  { terminalId: named, worktree, ...request }: ForkRequest,
  terminals: AgentTerminals,
  spawning: Spawning,
): Promise<Forked> {
  const source = sourceOf(terminals.idOf(named), spawning)
  const goesOn = await goesOnFrom('fork', source, request.conversation, { terminals, spawning })
  const cwd = await folderOf(source, terminals)
  const like = source.adapter.name
  const name = typeof worktree === 'string' ? worktree : null
  const made = worktree === undefined || worktree === false ? null : await makeWorktree({ cwd, name, like }, terminals)
  const beginning = { ...request, cwd: made?.cwd ?? cwd, made, goesOn }
  return made === null
    ? begin(source, beginning, { terminals, spawning })
    : beginIn(made, () => begin(source, beginning, { terminals, spawning }), terminals)
}

/** A worktree without an agent is of no use to anybody. */
async function beginIn(made: MadeWorktree, begun: () => Promise<Forked>, terminals: AgentTerminals): Promise<Forked> {
  try {
    const forked = await begun()
    const isLeft = forked.terminal !== null || !(await removeWorktree(made, terminals))
    return isLeft ? forked : { ...forked, worktree: null }
  } catch (error) {
    if ((await removeWorktree(made, terminals)) || !isTermError(error)) throw error
    const stays = `The worktree ${made.path} stays: git worktree remove ${made.path}`
    throw new TermError(error.code, error.message, `${error.hint} ${stays}`.trim(), error.refusal)
  }
}

/** Errors: as {@link forkAgent}; `session_not_found`. */
export async function resumeAgent(
  { agentId, ...request }: ParsedVerbInput<'resume'>,
  terminals: AgentTerminals,
  spawning: Spawning,
): Promise<Forked> {
  const listed = await terminals.listAll()
  const terminalId = endedOf(agentId, listed, { terminals, spawning })
  const source = sourceOf(terminalId, spawning)
  const goesOn = await goesOnFrom('resume', source, request.conversation, { terminals, spawning })
  const label = source.agent.start?.name ?? undefined
  const cwd = await folderOf(source, terminals)
  return begin(source, { ...request, label, cwd, made: null, goesOn }, { terminals, spawning })
}

export interface Within {
  readonly terminals: AgentTerminals
  readonly spawning: Spawning
}

interface Beginning extends Omit<ForkRequest, 'terminalId' | 'worktree' | 'conversation'> {
  readonly label?: string | undefined
  readonly cwd: string
  readonly made: MadeWorktree | null
  readonly goesOn: Omit<GoesOn, 'cwd'>
}

async function begin(
  { agent: { type, start } }: Source,
  { made, cwd, goesOn, instruction, asksForAnswer, name, label, waitTimeoutMs }: Beginning,
  { terminals, spawning }: Within,
): Promise<Forked> {
  const worktree = made === null ? (start?.worktree ?? null) : { path: made.path, branch: made.branch }
  const request = defined({
    agent: type,
    cwd,
    goesOn: { ...goesOn, cwd },
    worktree,
    waitTimeoutMs,
    instruction,
    asksForAnswer,
    name,
    label,
    model: start?.model ?? undefined,
    sandbox: start?.sandbox ?? undefined,
  })
  const spawned = await spawnAgent(request, terminals, spawning)
  const { terminal } = spawned
  const conversation = terminal === null ? null : spawning.instructing.kept.agentOf(terminal.terminalId)?.conversation
  return { ...spawned, conversation: conversation ?? null, worktree }
}

/** Errors: `invalid_input`. */
function sourceOf(terminalId: string, { instructing, adapters }: Spawning): Source {
  const agent = instructing.kept.agentOf(terminalId)
  const adapter = adapters().find(({ name }) => name === agent?.type)
  if (agent !== null && adapter !== undefined) return { terminalId, agent, adapter }
  const what =
    agent === null ? `${terminalId} was not started as an agent` : `Nothing is known of the program ${agent.type}`
  throw invalidInput(`${what}, so it has no conversation to go on from.`, 'See: agentpty agents')
}

/** Where it works now; of one that is gone, where it was started. */
async function folderOf({ terminalId, agent }: Source, terminals: AgentTerminals): Promise<string> {
  const found = (await terminals.listAll()).find((one) => one.terminalId === terminalId)
  const cwd = agent.start?.cwd ?? found?.cwd
  if (cwd !== undefined) return cwd
  throw invalidInput(`It is not known where ${terminalId} was started.`, 'Start a new agent there.')
}

/** Errors: `invalid_input` where its conversation is not known. */
async function goesOnFrom(
  how: GoesOn['how'],
  { terminalId, agent, adapter }: Source,
  given: string | undefined,
  { terminals, spawning }: Within,
): Promise<Omit<GoesOn, 'cwd'>> {
  const known = given ?? agent.conversation
  if (known !== null) return { how, conversation: known }
  const { kept } = spawning.instructing
  const free = await freeConversations(terminalId, { agent, adapter }, { terminals, spawning })
  const [only] = free
  if (only !== undefined && free.length === 1) {
    kept.foundIn(terminalId, only)
    return { how, conversation: only }
  }
  const what = free.length === 0 ? 'is not known' : `may be one of ${free.join(', ')}`
  throw invalidInput(
    `The conversation of ${terminalId} ${what}.`,
    `Name it as ${adapter.title} calls it: --conversation ID`,
  )
}

/** Those in which the agent may be: that which has its task, where one has; and none that is another agent’s. */
async function freeConversations(
  terminalId: string,
  { agent: { start }, adapter: { transcripts: shape } }: Omit<Source, 'terminalId'>,
  { terminals, spawning }: Within,
): Promise<readonly string[]> {
  const { kept } = spawning.instructing
  const folder = shape === null ? null : (start?.transcripts ?? transcriptFolder(shape, terminals.context.env))
  if (shape === null || start === undefined || folder === null) return []
  const nonce = kept.taskOf(terminalId)?.nonce ?? null
  const found = await begunConversations(shape, { ...start, folder, nonce })
  const free = found.filter(({ id }) => !kept.isOfAnother(id, terminalId))
  const own = free.filter(({ hasTask }) => hasTask)
  return (own.length > 0 ? own : free).map(({ id }) => id)
}

/** The terminal that an agent had which has ended, by its id or name. Errors: `session_not_found`, `invalid_input` while it runs. */
function endedOf(
  named: string,
  listed: readonly { readonly terminalId: string; readonly state: string }[],
  { terminals, spawning }: Within,
): string {
  const { kept } = spawning.instructing
  const scope = terminals.context.scope?.id ?? null
  const mine = kept.all().filter(([, { start }]) => scope === null || start?.scope === scope)
  const found = mine.findLast(([terminalId, { start }]) => terminalId === named || start?.name === named)
  if (found === undefined) {
    const ended = mine.filter(([id]) => listed.every((one) => one.terminalId !== id || one.state === 'exited'))
    const names = ended.slice(-namesShown).map(([id, { type, start }]) => `${start?.name ?? id} (${type})`)
    const hint = names.length === 0 ? 'No agent has ended.' : `Agents that have ended: ${names.join(', ')}.`
    throw new TermError('session_not_found', `No agent "${named}".`, hint)
  }
  const [terminalId] = found
  const running = listed.find((one) => one.terminalId === terminalId && one.state !== 'exited')
  if (running === undefined) return terminalId
  const hint = `Give it work with: agentpty agent send ${named}; or begin a second one with: agentpty agent fork ${named}`
  throw invalidInput(`${named} has not ended.`, hint)
}

const namesShown = 10

interface MadeWorktree extends Worktree {
  /** The folder in it that is like the one it was made for. */
  readonly cwd: string
  readonly root: string
}

/** Git copies a large repository within this time (ms). */
const gitMsMax = 50_000
const namesMax = 1_000

/**
 * A git worktree for an agent: a folder beside the repository, on a branch of its own. What is not committed is not in it, and is not touched.
 *
 * `name` null: the next free one of `like`. Errors: `invalid_input` outside of a repository and for a name that is taken; `machine_unfit`.
 */
async function makeWorktree(
  { cwd, name, like }: { readonly cwd: string; readonly name: string | null; readonly like: string },
  terminals: AgentTerminals,
): Promise<MadeWorktree> {
  const top = await git('rev-parse --show-toplevel', cwd, terminals)
  if (top.exitCode !== 0) throw invalidInput(`${cwd} is in no git repository.`, 'Leave out the worktree.')
  const root = top.output.trim()
  const branch = name ?? (await freeName(like, root, terminals))
  const path = pathOf(root, branch)
  const made = await git(`worktree add -b ${quote(branch)} ${quote(path)} HEAD`, root, terminals)
  if (made.exitCode !== 0) {
    const why = made.output.trim().split('\n').at(-1) ?? ''
    throw invalidInput(`git made no worktree ${path}: ${why}`, 'Choose another name.')
  }
  return { path, branch, root, cwd: join(path, relative(root, cwd)) }
}

/** Removes the worktree of an agent that did not start. False: it has changes or commits, is in use, or the caller may start nothing. */
async function removeWorktree({ path, branch, root }: MadeWorktree, terminals: AgentTerminals): Promise<boolean> {
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
  throw invalidInput(`There are ${namesMax} branches like ${like}-1.`, 'Name the worktree.')
}

/** On a busy machine a program that only sleeps may look as if it asked something. */
async function untilEnded(terminalId: string, { call }: AgentTerminals) {
  const { terminals } = await call('wait', { terminalIds: [terminalId], waitFor: 'exit', waitTimeoutMs: gitMsMax })
  const { output } = await call('read', { terminalId, since: 0 })
  return { ...terminals[0], output }
}

/** Runs git like a command of the caller: judged, recorded, and within the caller’s sandbox. */
async function git(words: string, cwd: string, terminals: AgentTerminals) {
  const { terminalId, ...ran } = await terminals.call('run', { command: `git ${words}`, cwd, timeoutMs: gitMsMax })
  const ended = ran.state === 'exited' ? ran : await untilEnded(terminalId, terminals)
  // The terminal in which it ran is of no more use, whether it has ended or not.
  await terminals.call('close', { terminalId }).catch(() => undefined)
  if (ended.state === 'exited') return ended
  throw machineUnfit(`git ${words} did not end in ${cwd}.`, 'Try it in a terminal.')
}
