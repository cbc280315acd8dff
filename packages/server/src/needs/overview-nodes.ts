/** What callers have added to the lineage, for the overview. A node that has not changed is the same object. */

import { type ClosedByLimit, type Glance, overTimeOf, startOf } from '@agentpty/engine/host'
import { defined } from '@agentpty/protocol'
import type { Agents, LineageTerminal, ToldNode } from '@agentpty/protocol/agents'
import { commandOf, type OverviewNode } from '@agentpty/protocol/session'

export class OverviewNodes {
  readonly #agents: Pick<Agents, 'lineageOf'>
  #told: ReadonlyMap<string, ToldNode> = new Map()

  constructor(agents: Pick<Agents, 'lineageOf'>) {
    this.#agents = agents
  }

  update(glances: readonly Glance[], closedByLimit: readonly ClosedByLimit[]): readonly ToldNode[] {
    const told = this.#agents.lineageOf(glances.map(terminalOf), closedByLimit.map(overTimeOf))
    const now = told.map((one) => {
      const before = this.#told.get(one.node.nodeId)
      return before !== undefined && before.scope === one.scope && isSame(before.node, one.node) ? before : one
    })
    this.#told = new Map(now.map((one) => [one.node.nodeId, one]))
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
