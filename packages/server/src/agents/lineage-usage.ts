/** What agents have used, by where they hang in the lineage: also those whose terminals have gone. */

import type { KeptByTerminal } from './kept-by-terminal.ts'
import type { GoneAgent } from './roll-up.ts'
import type { Transcripts } from './transcripts/transcripts.ts'

interface Kept {
  readonly kept: KeptByTerminal
  readonly transcripts: Transcripts
}

/** As in the port that it is for: `protocol/agents/agents.ts`. */
export async function tokensOf(
  terminalId: string,
  open: ReadonlySet<string>,
  { kept, transcripts }: Kept,
): Promise<number> {
  const branch = kept.all().flatMap(([id, { start }]) => {
    const isIn = id === terminalId || start?.ancestors?.includes(terminalId) === true
    return isIn ? [id] : []
  })
  await transcripts.look(branch, { when: 'now', gone: new Set(branch.filter((id) => !open.has(id))) })
  return branch.reduce((sum, id) => {
    const usage = transcripts.usageOf(id)
    return usage === null ? sum : sum + usage.input + usage.output
  }, 0)
}

interface Shown {
  /** Terminals below which they were started. */
  readonly shown: ReadonlySet<string>
  /** All terminals that are there. */
  readonly open: ReadonlySet<string>
  /** Of the caller; undefined may know of all. */
  readonly scope: string | undefined
}

/** Agents whose terminals are not there any more. */
export async function goneAgents(
  { shown, open, scope }: Shown,
  { kept, transcripts }: Kept,
): Promise<readonly GoneAgent[]> {
  const gone = kept.all().flatMap(([id, { start }]) => {
    const { ancestors = [] } = start ?? {}
    const isSeen = scope === undefined || start?.scope === scope
    return isSeen && !open.has(id) && ancestors.some((one) => shown.has(one)) ? [{ id, ancestors }] : []
  })
  const ids = gone.map(({ id }) => id)
  await transcripts.look(ids, { gone: new Set(ids) })
  return gone.flatMap(({ id, ancestors }) => {
    const usage = transcripts.usageOf(id)
    return usage === null ? [] : [{ ancestors, usage }]
  })
}
