/** Agents of a server: their tasks, answers, lineage and waits outlive it; the state of a terminal is read again for each call. */

import { randomBytes } from 'node:crypto'
import { type Clock, type Millis, TermError } from '@agentpty/protocol'
import {
  type Adapter,
  type AgentStore,
  type Agents,
  type AgentTerminals,
  type ArtifactSource,
  knownAdapters,
  transcriptLookMsMax,
} from '@agentpty/protocol/agents'
import type { OverviewAgent } from '@agentpty/protocol/session'
import type { ListedTerminal, ParsedVerbInput, VerbOutput } from '@agentpty/protocol/verbs'
import { leads, listAgents, ownTerminal } from './agent-terminals.ts'
import { memoryStore } from './agents-file.ts'
import { type Artifact, Artifacts, type Captured, capture } from './artifacts.ts'
import { type Awaiting, waitForAgents } from './await-agents.ts'
import { lastFencedAnswer } from './fenced-answers.ts'
import { fencesOf } from './fences.ts'
import { forkAgent, resumeAgent } from './go-on.ts'
import { type Instructing, instruct } from './instruct.ts'
import { KeptByTerminal } from './kept-nodes.ts'
import { Lineage } from './lineage.ts'
import { tokensOf } from './lineage-usage.ts'
import { lineageVerbs } from './lineage-verbs.ts'
import { messageVerbs } from './messages.ts'
import { spawnAgent } from './spawn.ts'
import { Transcripts } from './transcripts/transcripts.ts'

export interface AgentsOptions {
  readonly store?: AgentStore
  /** The adapters by the current settings. Errors: `invalid_input`, for wrong settings. */
  readonly adapters?: () => readonly Adapter[]
  /** How a command line starts this agentpty. */
  readonly ownCommand?: string
  /** At the ends of messages; by chance where it is not given. */
  readonly newNonce?: () => string
  /** How long a call waits for what transcripts say; without it {@link transcriptLookMsMax}. */
  readonly lookMs?: Millis
}

export function makeAgents(
  clock: Clock,
  {
    store = memoryStore(),
    adapters = () => knownAdapters,
    newNonce = randomNonce,
    ownCommand = 'agentpty',
    lookMs = transcriptLookMsMax,
  }: AgentsOptions = {},
): Agents {
  const lineage = new Lineage(store, clock.wall())
  const kept = new KeptByTerminal(store)
  const artifacts = new Artifacts(kept, store)
  const transcripts = new Transcripts({ clock, kept, adapters, lookMs })
  const instructing = { kept, store, clock }
  const hooking = { store, ownCommand }
  const spawning = { lineage, clock, instructing, adapters, hooking }
  const sync = async (terminals: AgentTerminals): Promise<readonly ListedTerminal[]> => {
    const listed = await terminals.listAll()
    const opened = (id: string) => ({ scope: terminals.scopeOf(id), start: terminals.startOf(id) })
    lineage.sync(listed, clock.wall(), opened, terminals.overTime())
    return listed
  }
  /** Brings the lineage up to date. Errors: as for nodes that are not there, for those that the caller does not see. */
  const seenBy = async (terminals: AgentTerminals, nodeIds: readonly string[]): Promise<readonly ListedTerminal[]> => {
    const listed = await sync(terminals)
    for (const nodeId of nodeIds) lineage.assertSeen(nodeId, terminals.context.scope?.id)
    return listed
  }
  return {
    ...messageVerbs({ store, kept, clock, newNonce }),
    keepAnswer: async (request, terminals) => keepAnswer(request, terminals, { kept, artifacts, clock }),
    agents: (_request, terminals) => listAgents({ kept, transcripts, adapters: adapters() }, terminals),
    async spawn(request, terminals) {
      if (request.nodeId !== undefined) await seenBy(terminals, [request.nodeId])
      return spawnAgent(request, terminals, spawning)
    },
    fork: (request, terminals) => forkAgent(request, terminals, spawning),
    resume: (request, terminals) => resumeAgent(request, terminals, spawning),
    instruct: (request, terminals) => instructNow(request, terminals, { ...instructing, transcripts, adapters }),
    awaitAgents: async (request, terminals) => {
      const awaiting = awaitingOf({ clock, kept, artifacts, transcripts, adapters: adapters() }, terminals)
      return { agents: [...(await waitForAgents(request, terminals, awaiting))] }
    },
    artifact: async (request, terminals) => {
      const from = { clock, kept, artifacts, transcripts }
      return {
        artifact: await takeArtifact({ ...request, terminalId: terminals.idOf(request.terminalId) }, terminals, from),
      }
    },
    ...lineageVerbs({ lineage, clock, kept, transcripts, spawning, seenBy }),
    tokensOf: (terminalId, open) => tokensOf(terminalId, open, { kept, transcripts }),
    glance: (terminalId) => glanceAtAgent(terminalId, { kept, transcripts }),
    lookSoon: (terminalId) => void transcripts.look([terminalId]),
  }
}

interface InstructingNow extends Instructing {
  readonly transcripts: Transcripts
  readonly adapters: () => readonly Adapter[]
}

async function instructNow(
  { terminalId: named, ...request }: ParsedVerbInput<'instruct'>,
  terminals: AgentTerminals,
  { transcripts, adapters, ...instructing }: InstructingNow,
): Promise<VerbOutput<'instruct'>> {
  const terminalId = terminals.idOf(named)
  const { kept } = instructing
  const asksForAnswer = request.asksForAnswer ?? isAskedForAnswers(kept.agentOf(terminalId)?.type, adapters())
  const given = { ...request, terminalId, asksForAnswer, waitFor: request.waitFor ?? ('none' as const) }
  const { task, seen } = await instruct({ ...given, isProved: true }, terminals, instructing)
  // While it works, so that little is to be read when it has answered.
  void transcripts.look([terminalId])
  const { sent: _sent, ...rest } = seen
  return { taskId: task.taskId, ...rest }
}

function isAskedForAnswers(type: string | undefined, adapters: readonly Adapter[]): boolean {
  return adapters.find(({ name }) => name === type)?.asksForAnswer ?? false
}

const randomNonce = () => randomBytes(4).toString('hex')

function glanceAtAgent(
  terminalId: string,
  { kept, transcripts }: Pick<AgentParts, 'kept' | 'transcripts'>,
): OverviewAgent | null {
  const agent = kept.agentOf(terminalId)
  if (agent === null) return null
  const task = kept.taskOf(terminalId)
  const usage = transcripts.usageOf(terminalId)
  return {
    type: agent.type,
    conversation: agent.conversation,
    task: (task && kept.taskLines.get(task.taskId)) ?? null,
    tokens: usage === null ? null : usage.input + usage.output,
  }
}

/** Keeps the answer that an agent or its hook reports. Errors: `denied`, `invalid_input`, `session_not_found`. */
function keepAnswer(
  { terminalId: named, output, unlessAnswered }: ParsedVerbInput<'keepAnswer'>,
  terminals: AgentTerminals,
  { kept, artifacts, clock }: Pick<AgentParts, 'kept' | 'artifacts' | 'clock'>,
): VerbOutput<'keepAnswer'> {
  const hint = 'Name the agent: agentpty hook emit --in ID'
  const terminalId =
    named === undefined ? ownTerminal(terminals, 'there is no agent whose answer it is', hint) : terminals.idOf(named)
  if (!leads(terminalId, terminals, 'too'))
    throw new TermError('denied', `Only an agent itself says what it answers, and ${terminalId} is not yours.`, '')
  const task = kept.taskOf(terminalId)
  const taskId = task?.taskId ?? null
  const fenced = task?.nonce == null ? null : lastFencedAnswer(output, fencesOf(task.nonce))
  const isAnswered = artifacts.find(terminalId) !== null
  if (fenced === null && isAnswered && unlessAnswered) return { kept: false, taskId }
  artifacts.keep(terminalId, { output: fenced ?? output, source: 'hook' }, clock.wall())
  return { kept: true, taskId }
}

// Connects a wait for agents with the stored state: reads what is known of each agent, and stores the answers that the wait sees.

interface AgentParts {
  readonly clock: Clock
  readonly kept: KeptByTerminal
  readonly artifacts: Artifacts
  readonly transcripts: Transcripts
  readonly adapters: readonly Adapter[]
}

/** Terminals are given by their ids or names. */
function awaitingOf(parts: AgentParts, terminals: AgentTerminals): Awaiting {
  const { clock, kept, artifacts, transcripts, adapters } = parts
  return {
    clock,
    idlePatternOf: (named) => {
      const type = kept.agentOf(terminals.idOf(named))?.type
      return adapters.find(({ name }) => name === type)?.idlePattern ?? null
    },
    fencesOf: (named) => {
      const nonce = kept.taskOf(terminals.idOf(named))?.nonce ?? null
      return nonce === null ? null : fencesOf(nonce)
    },
    givenAtOf: (named) => kept.taskOf(terminals.idOf(named))?.givenAt ?? null,
    exactAnswer: (named) => transcripts.answer(terminals.idOf(named)),
    answered: (named, captured) => {
      artifacts.keep(terminals.idOf(named), captured, clock.wall())
    },
    pendingOf: (named) => kept.pending.get(terminals.idOf(named)) ?? null,
  }
}

type ArtifactRequest = ParsedVerbInput<'artifact'>

/**
 * The artifact of an agent: the one that is kept, or what is captured now and better.
 *
 * `terminalId` is an id. Errors: `session_not_found`, `machine_unfit`.
 */
async function takeArtifact(request: ArtifactRequest, terminals: AgentTerminals, from: Omit<AgentParts, 'adapters'>) {
  const { terminalId } = request
  const found = from.artifacts.find(terminalId)
  const captured = await captureNow(request, found, { terminals, from })
  // An answer that was seen whole may be drawn over since.
  const isWorse = request.capture !== 'screen' && rankOf(captured) < rankOf(found)
  if (captured === null || isWorse) return found
  return from.artifacts.keep(terminalId, captured, from.clock.wall())
}

async function captureNow(
  request: ArtifactRequest,
  found: Artifact | null,
  { terminals, from }: { readonly terminals: AgentTerminals; readonly from: Omit<AgentParts, 'adapters'> },
): Promise<Captured | null> {
  const { kept, transcripts } = from
  const { terminalId } = request
  const exactAnswer = () => transcripts.answer(terminalId)
  const lastMessage = () => transcripts.lastMessage(terminalId)
  if (request.capture !== 'missing' || found === null || found.source === 'message')
    return capture(request, terminals, { task: kept.taskOf(terminalId), exactAnswer, lastMessage })
  // It was seen on the screen before its program had written it down.
  const exact = found.source === 'fences' ? await exactAnswer() : null
  return exact === null ? null : { output: exact, source: 'transcript' }
}

/** How true to the answer it is. */
const rankOf = (captured: Captured | null): number => (captured === null ? -1 : ranks.indexOf(captured.source))
const ranks: readonly ArtifactSource[] = ['screen', 'message', 'fences', 'transcript', 'hook']
