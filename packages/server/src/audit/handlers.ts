import type { Session } from '@agentpty/engine/session'
import { searchableText } from '@agentpty/engine/waits'
import { commandsMax, defined, type Offset } from '@agentpty/protocol'
import type { AgentTerminals } from '@agentpty/protocol/agents'
import type { TerminalRecordsPage } from '@agentpty/protocol/audit'
import { questionLookBytes } from '@agentpty/protocol/timeline'
import { terminalsOf } from '../agents/index.ts'
import type { EngineContext, Handler, Handlers } from '../call/index.ts'
import {
  itemsOfKept,
  itemsOfNeeds,
  itemsOfRecords,
  itemsOfSession,
  type PlacedItem,
  pageOfItems,
  placeText,
  readPlace,
} from './timeline-pages.ts'

const timeline: Handler<'timeline'> = async (engine, { terminalId, since, before, limit }, context, call) => {
  const session = engine.host.find(terminalId)
  const place = before === undefined ? null : readPlace(before)
  const { id, createdAt } = session.info
  const query = { terminalId: id, since: Math.max(since, createdAt), before: place?.n ?? null, limit: limit + 1 }
  const page = (await engine.journal?.read(defined({ ...query, signal: context.signal }))) ?? noRecords
  const isScoped = context.scope !== undefined
  const questionBefore = (offset: Offset) => lastLine(session, offset)
  const items = [
    ...itemsOfRecords(page.records, { isScoped, questionBefore }),
    ...itemsOfSession(session, endedAt(engine, session)),
    ...itemsOfKept(engine.gates.keptJobs(id)),
    ...(place === null ? itemsOfNeeds(await engine.overview.needs(context.scope), id) : []),
    ...(await answeredTask(engine, id, terminalsOf(engine, context, call))),
  ]
  const { completeAfter, oldest } = page
  const { items: shown, next } = pageOfItems(items, { since, before: place, limit, completeAfter, oldest })
  const missing = next === null ? missingIn(session, page) : []
  return defined({
    items: shown.map(({ item }) => item),
    startedAt: createdAt,
    next: next === null ? undefined : placeText(next),
    missing: missing.length === 0 ? undefined : missing,
  })
}

const noRecords: TerminalRecordsPage = { records: [], completeAfter: null, oldest: null, isCut: true }

function missingIn({ commands }: Session, { isCut }: TerminalRecordsPage) {
  return [
    ...(commands.commands.length >= commandsMax ? (['commands'] as const) : []),
    ...(isCut ? (['journal'] as const) : []),
  ]
}

/** Returns the line at the end of the output at that time, which holds the question of the program. */
function lastLine({ log }: Session, offset: Offset): string {
  const { bytes } = log.read({ since: offset - questionLookBytes, until: offset })
  const lines = searchableText(bytes).split('\n')
  return lines.findLast((line) => line.trim() !== '')?.trim() ?? ''
}

/** By the wall clock. */
function endedAt({ clock }: EngineContext, { exitedAt }: Session): number {
  return Math.round(clock.wall() - Math.max(0, clock.now() - exitedAt))
}

/** The answer of an agent to its last task, where it is kept; nothing is captured for it. */
async function answeredTask(
  { agents }: EngineContext,
  terminalId: string,
  terminals: AgentTerminals,
): Promise<readonly PlacedItem[]> {
  if (agents.glance(terminalId) === null) return []
  const { artifact } = await agents.artifact({ terminalId, capture: 'never', lines: 1 }, terminals)
  if (artifact === null || artifact.taskId === null) return []
  const { capturedAt: at, taskId } = artifact
  return [{ item: { kind: 'task', at, event: 'answered', taskId }, name: taskId, n: null }]
}

export const auditHandlers = {
  timeline,
} satisfies Partial<Handlers>
