/** What is kept of the lineage from one server to the next: what callers have made, described or moved. The rest is known of terminals. */

import * as z from 'zod'
import { lineageNodesMax, sessionsMax } from '../limits.ts'
import { LineageNode, nodeStatuses } from './lineage.ts'
import { TerminalStart } from './terminal-start.ts'

const KeptNode = z.strictObject({
  node: LineageNode,
  /** A caller has made or changed it: it outlives its terminal. */
  isKept: z.boolean(),
  /** A caller has described or ordered it. */
  isTold: z.boolean(),
  /** The terminal that opened its own; null for one that was opened from elsewhere, or that a caller has added. */
  openedFrom: z.string().nullable(),
  /** The status that a caller has set; it takes precedence over what the terminal shows, as long as that is open. */
  given: z.enum(nodeStatuses).nullable(),
  /** That of its terminal, or of who has added it; null when it belongs to none. It stays when the terminal goes. */
  scope: z.string().nullable(),
  /** Of its terminal, also of one that has gone; null when it never had one. */
  start: TerminalStart.nullable(),
  /** The terminal that it had last. */
  lastTerminal: z.string().nullable(),
})
export type KeptNode = Readonly<z.infer<typeof KeptNode>>

/** Parents may be nodes of terminals that are not kept. */
export const KeptLineage = z.array(KeptNode).max(lineageNodesMax + sessionsMax)
export type KeptLineage = readonly KeptNode[]

export interface LineageStore {
  readonly loadLineage: () => KeptLineage
  /** Errors: `environment`, on a full disk say. */
  readonly saveLineage: (kept: KeptLineage) => void
}
