/** Starting an agent: a terminal for it, and its instruction once it can take one. */

import { type Clock, instructMsMax, isTermError, nameCharactersMax, waitMsMax } from '@agentpty/protocol'
import {
  type Adapter,
  type AgentTerminals,
  hasFinished,
  type KeptAgent,
  knownAdapters,
  type LineageNode,
  suggestedCommands,
} from '@agentpty/protocol/agents'
import { TerminalName } from '@agentpty/protocol/call'
import type { VerbOutput } from '@agentpty/protocol/verbs'
import { closeTerminal } from './agent-terminals.ts'
import { type Instructing, type Instruction, instruct } from './instruct.ts'
import type { KeptByTerminal } from './kept-nodes.ts'
import type { Lineage } from './lineage.ts'
import { type Hooking, type Plan, planStart, type SpawnRequest, withHooks } from './start-of.ts'
import { transcriptFolder } from './transcripts/transcript.ts'

type Spawned = VerbOutput<'spawn'>
type Terminal = NonNullable<Spawned['terminal']>

/** The exit code of a shell for a command that does not exist. */
const notFoundCode = 127

/** Errors: those of opening a terminal; `Node "x" not found`. */
export async function spawnAgent(
  request: SpawnRequest,
  terminals: AgentTerminals,
  { lineage, clock, instructing, adapters, hooking }: Spawning,
): Promise<Spawned> {
  const { nodeId, label } = request
  const env = { ...terminals.context.env, ...request.env }
  const hooked = adapters().map((one) => (one.name === request.agent ? withHooks(one, env, hooking) : one))
  const plan = planStart(request, hooked)
  const [again] = nodeId === undefined ? [] : lineage.subtree(nodeId)
  if (again !== undefined) lineage.hold(again.nodeId)
  if (again !== undefined && again.terminalId !== null) await closeTerminal(again.terminalId, terminals)
  const { isThroughShell } = plan
  // Before its program can have written anything.
  const startedAt = clock.wall()
  const terminal = await openTerminal(plan, request, terminals)
  if (terminal === null) return { ...none, isThroughShell, suggestions: await findSuggestions(terminals, adapters()) }
  const { terminalId } = terminal
  const { kept } = instructing
  if (request.agent !== undefined) kept.started(terminalId, keptOf(request, plan, { terminal, terminals, startedAt }))
  const shows = request.goesOn === undefined ? undefined : plan.adapter?.conversations.shows
  if (shows !== undefined) loadConversation(terminalId, shows, { terminals, kept })
  if (label !== undefined) lineage.labelTerminal(terminalId, label || terminalId)
  const node: LineageNode | null =
    again === undefined ? null : { ...lineage.bind(again.nodeId, terminalId, 'running', clock.wall()) }
  return {
    terminal,
    isThroughShell,
    suggestions: [],
    ...(await firstTask({ terminalId, plan, atDialog: request.atDialog }, terminals, instructing)),
    node,
  }
}

interface StartedIn {
  readonly terminal: Terminal
  readonly terminals: AgentTerminals
  readonly startedAt: number
}

function keptOf(request: SpawnRequest, plan: Plan, { terminal, terminals, startedAt }: StartedIn): KeptAgent {
  const { agent = '', model = null, sandbox = null, worktree = null } = request
  const scope = terminals.context.scope?.id ?? null
  const { name = null, cwd, terminalId } = terminal
  const { conversation, adapter } = plan
  const shape = adapter?.transcripts ?? null
  const env = { ...terminals.context.env, ...plan.create.env }
  const transcripts = shape === null ? null : transcriptFolder(shape, env)
  const ancestors = [...terminals.ancestorsOf(terminalId)]
  return {
    type: agent,
    conversation,
    start: { name, cwd, model, sandbox, scope, startedAt, worktree, transcripts, ancestors },
  }
}

export interface Spawning {
  readonly lineage: Lineage
  readonly clock: Clock
  readonly instructing: Instructing
  readonly adapters: () => readonly Adapter[]
  readonly hooking: Hooking
}

const none = { terminal: null, notInstructed: null, isInstructedLater: false, taskId: null, node: null } as const

type FirstTask = Pick<Spawned, 'notInstructed' | 'isInstructedLater' | 'taskId'>

interface First {
  readonly terminalId: string
  readonly plan: Plan
  readonly atDialog: SpawnRequest['atDialog']
}

async function firstTask(
  { terminalId, plan: { instruction, given, asksForAnswer, adapter }, atDialog }: First,
  terminals: AgentTerminals,
  instructing: Instructing,
): Promise<FirstTask> {
  if (instruction === '') return { ...nothingLeftOut, taskId: null }
  if (given === null && adapter?.readyPattern != null)
    await terminals.call('wait', {
      terminalIds: [terminalId],
      since: [0],
      waitTimeoutMs: instructMsMax,
      waitFor: { text: adapter.readyPattern },
    })
  const first = { terminalId, text: instruction, asksForAnswer }
  if (given === null) {
    const { isAtDialog = false, ...task } = await instructFirst(first, terminals, instructing)
    if (atDialog !== 'wait' || !isAtDialog) return task
    instructLater(first, terminals, instructing)
    const notInstructed = `${task.notInstructed}. It is instructed after the answer.`
    return { ...task, notInstructed, isInstructedLater: true }
  }
  const { kept, clock } = instructing
  const task = kept.begin(terminalId, { nonce: given.nonce, since: 0, givenAt: clock.wall(), before: null })
  return { ...nothingLeftOut, taskId: task.taskId }
}

const nothingLeftOut = { notInstructed: null, isInstructedLater: false } as const

/** Opens it under its name, or under its label if that can be a name and is free, so that people find it. Null: there is no such program. */
async function openTerminal(plan: Plan, request: SpawnRequest, terminals: AgentTerminals): Promise<Terminal | null> {
  try {
    const terminal = await openNamed(plan, request, terminals)
    const isNotFound = terminal.outcome === 'exited' && terminal.exitCode === notFoundCode
    if (typeof plan.create.command !== 'string' || !isNotFound) return terminal
    await terminals.call('close', { terminalId: terminal.terminalId })
    return null
  } catch (error) {
    // A shell says so by its exit code.
    if (plan.adapter !== null && isTermError(error) && error.code === 'spawn_failed') return null
    throw error
  }
}

async function openNamed(
  { create: start, configuredWords }: Plan,
  { name: asked, label = '' }: SpawnRequest,
  terminals: AgentTerminals,
): Promise<Terminal> {
  const name = asked ?? nameFrom(label)
  if (name === null) return terminals.call('create', start, { configuredWords })
  try {
    return await terminals.call('create', { ...start, name }, { configuredWords })
  } catch (error) {
    if (asked !== undefined || !isTermError(error) || error.code !== 'name_taken') throw error
    return terminals.call('create', start, { configuredWords })
  }
}

/** Null when nothing is left of the label, or when it would look like another terminal's id. */
function nameFrom(label: string): string | null {
  const name = label
    .replaceAll(/[^\w.-]+/g, '-')
    .slice(0, nameCharactersMax)
    .replaceAll(/^-+|-+$/g, '')
  return TerminalName.safeParse(name).success && !/^term-\d+$/.test(name) ? name : null
}

/** The agents that the configuration adds, and those of the roster that are installed, by their names. */
async function findSuggestions(terminals: AgentTerminals, adapters: readonly Adapter[]): Promise<string[]> {
  const lookup = `sh -c 'for one in ${suggestedCommands.join(' ')}; do command -v "$one" >/dev/null && echo "$one"; done; true'`
  const { output, terminalId } = await terminals.call('run', { command: lookup })
  // The terminal in which it searched is closed in any case.
  await terminals.call('close', { terminalId }).catch(() => undefined)
  const installed = output.split('\n').filter((line) => suggestedCommands.includes(line.trim()))
  const configured = adapters.map(({ name }) => name).filter((name) => !knownAdapters.some((one) => one.name === name))
  return [...new Set([...configured, ...installed])].toSorted()
}

/** An agent that is still at work after a while gets it all the same. */
async function instructFirst(
  given: Pick<Instruction, 'terminalId' | 'text' | 'asksForAnswer'>,
  terminals: AgentTerminals,
  instructing: Instructing,
): Promise<FirstTask & { readonly isAtDialog?: boolean }> {
  const typing = { ...given, waitFor: 'none' as const, waitTimeoutMs: instructMsMax }
  const give = async (isProved: boolean): Promise<FirstTask> => {
    const { task } = await instruct({ ...typing, isProved }, terminals, instructing)
    return { ...nothingLeftOut, taskId: task.taskId }
  }
  try {
    return await give(true)
  } catch (error) {
    if (!isTermError(error)) throw error
    if (notTyped.has(error.code))
      return {
        notInstructed: error.message,
        isInstructedLater: false,
        taskId: null,
        isAtDialog: error.code === 'needs_answer',
      }
    if (error.code !== 'agent_busy') throw error
    return give(false)
  }
}

/** The agent runs but could not be instructed; the caller must know both. */
const notTyped: ReadonlySet<string> = new Set(['needs_answer', 'session_exited', 'line_not_empty', 'not_submitted'])

/** Loads a conversation: text entered before is lost. May outlast the call of `terminals`. `shows`: text on the screen once loaded. */
function loadConversation(
  terminalId: string,
  shows: string,
  { terminals, kept }: { readonly terminals: AgentTerminals; readonly kept: KeptByTerminal },
): void {
  const waiting = { terminalIds: [terminalId], since: [0], waitFor: { text: shows }, waitTimeoutMs: waitMsMax }
  const loading = outliving(terminals)
    .call('wait', waiting)
    .then(
      () => {},
      (error: unknown) => {
        // The agent is gone. The next instruction reports it.
        if (!isTermError(error)) throw error
      },
    )
  kept.loading.set(terminalId, loading)
  void loading.finally(() => kept.loading.delete(terminalId))
}

type Given = Pick<Instruction, 'terminalId' | 'text' | 'asksForAnswer'>

/**
 * An instruction that waits until a dialog is answered (is the folder trusted?). Until it is typed the agent has not finished.
 *
 * Types the instruction later. The wait may outlast the call of `terminals`.
 */
function instructLater(given: Given, terminals: AgentTerminals, instructing: Instructing): void {
  const { kept } = instructing
  const isOver = give(given, outliving(terminals), instructing).catch((error: unknown) => {
    // The terminal shows the reason: it is gone, the program has ended, or another person or program types there.
    if (!isTermError(error)) throw error
  })
  kept.pending.set(given.terminalId, isOver)
  void isOver.finally(() => {
    if (kept.pending.get(given.terminalId) === isOver) kept.pending.delete(given.terminalId)
  })
}

async function give(given: Given, terminals: AgentTerminals, instructing: Instructing): Promise<void> {
  const { terminalId } = given
  let since = 0
  for (;;) {
    const waiting = { terminalIds: [terminalId], since: [since], waitTimeoutMs: waitMsMax }
    const [turn] = (await terminals.call('wait', { ...waiting, waitFor: 'ready' })).terminals
    if (turn === undefined || turn.state === 'exited') return
    since = turn.cursor
    // A dialog does not change until it is answered.
    if (!hasFinished(turn)) await terminals.call('wait', { ...waiting, since: [since], waitFor: 'output' })
    else if (await isTaken(given, terminals, instructing)) return
  }
}

/** False where another dialog has come. */
async function isTaken(given: Given, terminals: AgentTerminals, instructing: Instructing): Promise<boolean> {
  try {
    await instruct({ ...given, waitFor: 'none', waitTimeoutMs: instructMsMax, isProved: true }, terminals, instructing)
    return true
  } catch (error) {
    if (isTermError(error) && error.code === 'needs_answer') return false
    throw error
  }
}

/** Returns the terminals for work that outlasts the call of `terminals`. */
function outliving(terminals: AgentTerminals): AgentTerminals {
  const { signal: _ended, progress: _unread, ...context } = terminals.context
  const { signal } = new AbortController()
  return { ...terminals, context, call: (name, input) => terminals.call(name, input, { signal, progress: () => {} }) }
}
