/** Starting an agent: a terminal for it, and its instruction once it can take one. */

import { type Clock, instructMsMax, isTermError, nameCharactersMax } from '@agentpty/protocol'
import {
  type Adapter,
  type AgentTerminals,
  type KeptAgent,
  knownAdapters,
  type LineageNode,
  suggestedCommands,
} from '@agentpty/protocol/agents'
import { TerminalName } from '@agentpty/protocol/call'
import type { VerbOutput } from '@agentpty/protocol/verbs'
import { closeTerminal } from './close-terminal.ts'
import { type Instructing, type Instruction, instruct } from './instruct.ts'
import { instructLater } from './instruct-later.ts'
import type { Lineage } from './lineage.ts'
import { loadConversation } from './load-conversation.ts'
import { type Plan, planStart, type SpawnRequest } from './plan-start.ts'
import { transcriptFolder } from './transcripts/transcript-folder.ts'
import { type Hooking, withHooks } from './with-hooks.ts'

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
  /** As they are set now. */
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
      ...{ terminalIds: [terminalId], since: [0], waitTimeoutMs: instructMsMax },
      waitFor: { text: adapter.readyPattern },
    })
  const first = { terminalId, text: instruction, asksForAnswer }
  if (given === null) {
    const { isAtDialog = false, ...task } = await instructFirst(first, terminals, instructing)
    if (atDialog !== 'wait' || !isAtDialog) return task
    instructLater(first, terminals, instructing)
    const notInstructed = `${task.notInstructed}. It is instructed once somebody has answered.`
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

/** Agents of the roster that the caller's shell finds. */
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
        ...{ notInstructed: error.message, isInstructedLater: false, taskId: null },
        isAtDialog: error.code === 'needs_answer',
      }
    if (error.code !== 'agent_busy') throw error
    return give(false)
  }
}

/** It is there, and could not be instructed: whoever has started it must know both. */
const notTyped: ReadonlySet<string> = new Set(['needs_answer', 'session_exited', 'line_not_empty', 'not_submitted'])
