/** An overview of terminals and needs while a client watches. Each watcher's event is made when it is read, from the state then. */

import {
  type ClosedByLimit,
  type Glance,
  type GlancedHost,
  Glances,
  isSeenBy,
  overTimeOf,
  type SeenHost,
  startOf,
} from '@agentpty/engine/host'
import { defined } from '@agentpty/protocol'
import type { Agents, LineageTerminal, ScopedNode } from '@agentpty/protocol/agents'
import { firstOverviewMs, type Need } from '@agentpty/protocol/needs'
import type { CallerScope } from '@agentpty/protocol/scope'
import { commandOf, type OverviewEvent, type OverviewNode, type OverviewRow } from '@agentpty/protocol/session'
import type { Overview } from '../call/index.ts'
import { type NeedSources, Needs } from './needs.ts'
import { OverviewRows } from './overview-rows.ts'
import type { ScopedNeed } from './scoped-need.ts'

interface OverviewSources extends NeedSources {
  readonly host: GlancedHost & Pick<SeenHost, 'leases' | 'closedByLimit'> & NeedSources['host']
  readonly agents: Pick<Agents, 'glance' | 'lookSoon' | 'lineageOf'>
}

export class TerminalsOverview implements Overview {
  readonly #sources: OverviewSources
  readonly #glances: Glances
  readonly #needs: Needs
  readonly #rows: OverviewRows
  readonly #nodes: OverviewNodes
  #lineage: readonly ScopedNode[] = []
  #shown: readonly OverviewRow[] = []
  #updatedAt = -1

  constructor(sources: OverviewSources) {
    this.#sources = sources
    this.#glances = new Glances(sources.clock, sources.host)
    this.#needs = new Needs(sources)
    this.#rows = new OverviewRows(sources.agents)
    this.#nodes = new OverviewNodes(sources.agents)
  }

  async *watch(scope: CallerScope | undefined, signal?: AbortSignal): AsyncGenerator<OverviewEvent, void> {
    let wake = () => {}
    let hasNews = false
    const news = () => {
      hasNews = true
      wake()
    }
    const stop = this.#glances.listen(news)
    signal?.addEventListener('abort', news, { once: true })
    const watcher = new WatcherState()
    try {
      await this.#settle()
      while (signal?.aborted !== true) {
        this.#update()
        const event = watcher.next(this.#rowsFor(scope), this.#nodesFor(scope), this.#needsFor(scope))
        if (event !== null) yield event
        if (!hasNews) await new Promise<void>((resolve) => (wake = resolve))
        hasNews = false
      }
    } finally {
      signal?.removeEventListener('abort', news)
      stop()
    }
  }

  async needs(scope: CallerScope | undefined): Promise<readonly Need[]> {
    await this.#settle()
    this.#update()
    await this.#needs.read()
    this.#updatedAt = -1
    this.#update()
    return this.#needsFor(scope).map(({ need }) => need)
  }

  dismiss(needId: string, scope: CallerScope | undefined): void {
    this.#update()
    const unwanted = this.#needs.dismiss(needId, (one) => isSeen(one, scope), this.#sources.host.allSessions)
    if (unwanted !== null) this.#sources.host.leases.want(unwanted, null)
  }

  stillAsks(needId: string): boolean {
    return this.#needs.stillAsks(needId)
  }

  #settle(): Promise<void> {
    const { clock } = this.#sources
    return this.#glances.settled(clock.now() + firstOverviewMs)
  }

  /** Once after each look, for all watchers. */
  #update(): void {
    if (this.#updatedAt === this.#glances.looks) return
    this.#updatedAt = this.#glances.looks
    const glances = [...this.#glances.all]
    this.#needs.update(glances)
    const needs = this.#needs.list.map(({ need }) => need)
    this.#shown = this.#rows.update(glances, needs)
    this.#lineage = this.#nodes.update(glances, this.#sources.host.closedByLimit)
  }

  #rowsFor(scope: CallerScope | undefined): readonly OverviewRow[] {
    if (scope === undefined) return this.#shown
    const own = new Set(this.#sources.host.allSessions.filter((one) => isSeenBy(one, scope)).map(({ info }) => info.id))
    return this.#shown.filter(({ terminalId }) => own.has(terminalId))
  }

  /** A caller that sees a single terminal gets no groups. */
  #nodesFor(scope: CallerScope | undefined): readonly OverviewNode[] {
    const isSeenNode = ({ scope: own }: ScopedNode) =>
      scope === undefined || (scope.view === undefined ? own === scope.id : scope.view.terminalId === null)
    return this.#lineage.filter(isSeenNode).map(({ node }) => node)
  }

  #needsFor(scope: CallerScope | undefined): readonly ScopedNeed[] {
    return this.#needs.list.filter((one) => isSeen(one, scope))
  }
}

/** Viewers cannot answer, so they see no needs. */
const isSeen = (one: ScopedNeed, scope: CallerScope | undefined): boolean =>
  scope === undefined || one.scope === scope.id

/** The state that one watcher has received. */
class WatcherState {
  readonly #rows = new Map<string, OverviewRow>()
  #needs: readonly ScopedNeed[] | null = null
  #nodes: readonly OverviewNode[] | null = null
  #isFirst = true

  /** Null when nothing has changed. */
  next(
    rows: readonly OverviewRow[],
    nodes: readonly OverviewNode[],
    needs: readonly ScopedNeed[],
  ): OverviewEvent | null {
    const isWhole = this.#isFirst
    const terminals = rows.filter((row) => this.#rows.get(row.terminalId) !== row)
    const there = new Set(rows.map(({ terminalId }) => terminalId))
    const gone = [...this.#rows.keys()].filter((id) => !there.has(id))
    const before = this.#needs
    const areSame = before?.length === needs.length && needs.every(({ need }, at) => need === before[at]?.need)
    const old = this.#nodes
    const areSameNodes = old?.length === nodes.length && nodes.every((node, at) => node === old[at])
    if (!isWhole && terminals.length === 0 && gone.length === 0 && areSame && areSameNodes) return null
    for (const row of terminals) this.#rows.set(row.terminalId, row)
    for (const id of gone) this.#rows.delete(id)
    this.#needs = needs
    this.#nodes = nodes
    this.#isFirst = false
    return {
      type: 'overview',
      isWhole,
      terminals,
      gone,
      nodes: areSameNodes ? null : nodes,
      needs: areSame ? null : needs.map(({ need }) => need),
    }
  }
}

/** The nodes that callers have added to the lineage, for the overview. An unchanged node is the same object. */
class OverviewNodes {
  readonly #agents: Pick<Agents, 'lineageOf'>
  #known: ReadonlyMap<string, ScopedNode> = new Map()

  constructor(agents: Pick<Agents, 'lineageOf'>) {
    this.#agents = agents
  }

  update(glances: readonly Glance[], closedByLimit: readonly ClosedByLimit[]): readonly ScopedNode[] {
    const nodes = this.#agents.lineageOf(glances.map(terminalOf), closedByLimit.map(overTimeOf))
    const now = nodes.map((one) => {
      const before = this.#known.get(one.node.nodeId)
      return before !== undefined && before.scope === one.scope && isSame(before.node, one.node) ? before : one
    })
    this.#known = new Map(now.map((one) => [one.node.nodeId, one]))
    return now
  }
}

/** One that was not looked at yet is at work for all that is known. */
function terminalOf({ session, verdict }: Glance): LineageTerminal {
  const { info, commands, exit } = session
  const { id: terminalId, name, parent, createdAt, argv, shell, cwd, scope } = info
  return defined({
    terminalId,
    name: name ?? undefined,
    parent: parent ?? undefined,
    createdAt,
    command: shell ?? commandOf(argv),
    cwd: commands.cwd ?? cwd,
    scope,
    start: startOf(info),
    state: verdict?.state ?? 'busy',
    kind: verdict?.kind ?? undefined,
    needs: verdict?.needs ?? undefined,
    exitCode: exit?.code ?? undefined,
  })
}

function isSame(one: OverviewNode, other: OverviewNode): boolean {
  return (Object.keys(one) as (keyof OverviewNode)[]).every((field) => one[field] === other[field])
}
