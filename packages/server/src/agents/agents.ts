/**
 * Agents of a server: which was started from which, what each was asked to do and has answered, and which waits for which. Tasks,
 * answers and what callers said of the lineage outlive the server; the state of a terminal is read again for each call.
 */

import { randomBytes } from 'node:crypto'
import type { Clock, Millis } from '@agentpty/protocol'
import {
  type Adapter,
  type AgentStore,
  type Agents,
  type AgentTerminals,
  knownAdapters,
  transcriptLookMsMax,
} from '@agentpty/protocol/agents'
import type { OverviewAgent } from '@agentpty/protocol/session'
import type { ParsedVerbInput, VerbOutput } from '@agentpty/protocol/verbs'
import { memoryStore } from './agents-file.ts'
import { Artifacts } from './artifacts.ts'
import { waitForAgents } from './await-agents.ts'
import { awaitingOf } from './awaiting-of.ts'
import { forkAgent, resumeAgent } from './go-on.ts'
import { type Instructing, instruct } from './instruct.ts'
import { keepAnswer } from './keep-answer.ts'
import { KeptByTerminal } from './kept-by-terminal.ts'
import { Lineage, type Listed } from './lineage.ts'
import { tokensOf } from './lineage-usage.ts'
import { lineageVerbs } from './lineage-verbs.ts'
import { listAgents } from './list-agents.ts'
import { messageVerbs } from './messages.ts'
import { spawnAgent } from './spawn.ts'
import { takeArtifact } from './take-artifact.ts'
import { Transcripts } from './transcripts/transcripts.ts'

export interface AgentsOptions {
  readonly store?: AgentStore
  /** As they are set now. Errors: `invalid_input`, for settings that are wrong. */
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
  const sync = async (terminals: AgentTerminals): Promise<readonly Listed[]> => {
    const listed = await terminals.listAll()
    const opened = (id: string) => ({ scope: terminals.scopeOf(id), start: terminals.startOf(id) })
    lineage.sync(listed, clock.wall(), opened, terminals.overTime())
    return listed
  }
  /** Brings the lineage up to date. Errors: as for nodes that are not there, for those that the caller does not see. */
  const seenBy = async (terminals: AgentTerminals, nodeIds: readonly string[]): Promise<readonly Listed[]> => {
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

interface GlancedBy {
  readonly kept: KeptByTerminal
  readonly transcripts: Pick<Transcripts, 'usageOf'>
}

/** What a row of the overview says of an agent. */
function glanceAtAgent(terminalId: string, { kept, transcripts }: GlancedBy): OverviewAgent | null {
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
