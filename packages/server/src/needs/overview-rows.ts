/** Rows of the overview. An unchanged row is the same object, so it can be compared by identity. */

import type { Glance } from '@agentpty/engine/host'
import type { Agents } from '@agentpty/protocol/agents'
import { type Need, type NeedKind, overviewTextCharactersMax } from '@agentpty/protocol/needs'
import { commandOf, type OverviewRow } from '@agentpty/protocol/session'
import { programNameOf } from './scoped-need.ts'

interface KeptRow {
  /** The values that the row was made of. */
  readonly from: readonly unknown[]
  readonly row: OverviewRow
}

export class OverviewRows {
  readonly #agents: Pick<Agents, 'glance' | 'lookSoon'>
  #rows = new Map<string, KeptRow>()

  constructor(agents: Pick<Agents, 'glance' | 'lookSoon'>) {
    this.#agents = agents
  }

  /** In the order in which they were opened. */
  update(glances: Iterable<Glance>, needs: readonly Need[]): readonly OverviewRow[] {
    const needed = new Map<string, NeedKind>()
    for (const { terminalId, kind } of needs) if (terminalId !== null) needed.set(terminalId, kind)
    const rows = new Map<string, KeptRow>()
    for (const glance of glances) {
      const { id } = glance.session.info
      rows.set(id, this.#row(glance, needed.get(id) ?? null))
    }
    this.#rows = rows
    return Array.from(rows.values(), ({ row }) => row)
  }

  #row(glance: Glance, need: NeedKind | null): KeptRow {
    const { session, revision, lastOutputAt } = glance
    const { info, modes, commands, size, followers } = session
    const { viewers } = followers
    const agent = this.#agents.glance(info.id)
    const line = lineOf(glance)
    const agentFrom = [agent?.type, agent?.conversation, agent?.task, agent?.tokens]
    const shown = [modes.title, line, commands.cwd, size.cols, size.rows, viewers]
    const rest = [info, ...shown, lastOutputAt, need, ...agentFrom]
    const from = [revision, ...rest]
    const before = this.#rows.get(info.id)
    if (before !== undefined && from.every((one, index) => one === before.from[index])) return before
    const isNews = before?.from[0] !== revision
    // The usage is read at the end of its turn.
    if (agent !== null && isNews && glance.verdict !== null && glance.verdict.state !== 'busy')
      this.#agents.lookSoon(info.id)
    return { from, row: rowOf(glance, { agent, need, line }) }
  }
}

/** Returns the program in the foreground: by the shell's marks, else by the name of its process. Null when only the shell runs. */
function lineOf({ session, verdict }: Glance): string | null {
  const { info, commands } = session
  if (commands.current !== null && commands.current.line !== null) return commands.current.line
  if (info.shell === null || verdict === null || verdict.state === 'exited' || verdict.kind === 'shell') return null
  return programNameOf(session) || null
}

function rowOf(
  { session, verdict, since, lastOutputAt }: Glance,
  { agent, need, line }: Pick<OverviewRow, 'agent' | 'need'> & { readonly line: string | null },
): OverviewRow {
  const { info, modes, commands, size, exit } = session
  const hasEnded = verdict?.state === 'exited'
  return {
    terminalId: info.id,
    name: info.name,
    title: short(modes.title),
    program: short(line ?? info.shell ?? commandOf(info.argv)),
    cwd: short(commands.cwd ?? info.cwd),
    parentId: info.parent,
    agent,
    state: verdict?.state ?? null,
    kind: verdict?.kind ?? null,
    exitCode: hasEnded ? (exit?.code ?? null) : null,
    signal: hasEnded ? (exit?.signal ?? null) : null,
    since,
    clientEndedAt: info.clientEndedAt,
    isPaused: info.isPaused,
    isSandboxed: info.sandbox !== null,
    mayType: info.lease.mayType,
    takenBy: info.lease.holder,
    need,
    size,
    viewers: session.followers.viewers,
    lastOutputAt,
  }
}

function short(text: string): string {
  return text.length <= overviewTextCharactersMax ? text : `${text.slice(0, overviewTextCharactersMax - 1)}…`
}
