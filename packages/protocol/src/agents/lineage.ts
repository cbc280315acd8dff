import * as z from 'zod'
import { lineageNodesMax, sessionsMax } from '../limits.ts'
import { TerminalStart } from './agent-text.ts'

const Tokens = z.number().int().min(0)

export const Usage = z.object({
  input: Tokens.describe('Tokens that its model was given, those from a cache included.'),
  output: Tokens.describe('Tokens that its model has made.'),
  cached: Tokens.describe('How many of the input came from a cache.'),
  costUsd: z.number().min(0).nullable().describe('In US dollars; null where its program tells no cost.'),
  models: z.array(z.string()).describe('The models, as its program calls them; of several agents, those of all.'),
})
export type Usage = Readonly<z.output<typeof Usage>>

/** Names of models that are kept of one agent, or of one tree. */
export const modelsListedMax = 20

/** Sums the usage of several agents. Null where no program reports it. */
export function usageTogether(all: readonly (Usage | null)[]): Usage | null {
  const reported = all.filter((one) => one !== null)
  if (reported.length === 0) return null
  const sum = (of: (one: Usage) => number) => reported.reduce((before, one) => before + of(one), 0)
  const costs = reported.flatMap(({ costUsd }) => (costUsd === null ? [] : [costUsd]))
  return {
    input: sum(({ input }) => input),
    output: sum(({ output }) => output),
    cached: sum(({ cached }) => cached),
    costUsd: costs.length === 0 ? null : costs.reduce((before, one) => before + one, 0),
    models: [...new Set(reported.flatMap(({ models }) => models))].slice(0, modelsListedMax),
  }
}

/** The lineage: which terminal was opened from which, with the groups and agents that callers add to it. */
export const nodeStatuses = [
  'idle',
  'queued',
  'starting',
  'running',
  'blocked',
  'waiting-input',
  'stopping',
  'stopped',
  'error',
  'done',
  'disconnected',
] as const
export type NodeStatus = (typeof nodeStatuses)[number]

export const NodeId = z.string().min(1).max(100).describe('A node, by its id or that of its terminal.')
const NodeLabel = z.string().min(1).max(200).describe('What people are shown for it.')
const NodeRole = z.string().max(100).describe('What it is there for.')

export const LineageNode = z.object({
  nodeId: z.string().describe('Its id.'),
  parentId: z.string().nullable().describe('The node above it; null at the top.'),
  order: z.number().int().describe('Its position among the children of its parent.'),
  label: NodeLabel,
  role: NodeRole,
  kind: z.enum(['group', 'agent']).describe('`group`: it only holds others.'),
  status: z.enum(nodeStatuses).describe('From its terminal, or as a caller has set it.'),
  createdAt: z.number().describe('In milliseconds since 1970.'),
  updatedAt: z.number().describe('When anything of it changed last.'),
  terminalId: z.string().nullable().describe('Where the agent runs; null without a terminal.'),
  lastAction: z.string().nullable().describe('What it did last.'),
  summary: z.string().nullable().describe('What it is at, in the words of a caller.'),
  cwd: z.string().nullable().describe('Where its terminal was last; null when it never had one.'),
})

/** Summary of everything below a node, itself not included. */
export const RollUp = z.object({
  below: z.number().int().describe('How many nodes are below it; groups do not count.'),
  working: z.number().int().describe('How many of them work.'),
  waiting: z.number().int().describe('How many wait for an answer or for work.'),
  finished: z.number().int().describe('How many have ended well, or were stopped.'),
  failed: z.number().int().describe('How many have ended with an error.'),
  paused: z.number().int().describe('Those that are paused: they neither work nor wait.'),
  elapsedMs: z.number().describe('How long ago it began, in milliseconds; until its end where it has ended.'),
  isPaused: z.boolean().describe('It is paused itself.'),
  usage: Usage.nullable().describe('What it has used itself; null where its program does not tell.'),
  usageBelow: Usage.nullable().describe(
    'What all below it have used that tell, those that have gone included; null where none does.',
  ),
})
export type RollUp = Readonly<z.output<typeof RollUp>>
export const RollUps = z.record(z.string(), RollUp)

export type LineageNode = Readonly<z.output<typeof LineageNode>>

/** A change that a caller makes to the lineage. */
export const LineageChange = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('add'),
    nodeKind: LineageNode.shape.kind,
    label: NodeLabel,
    role: NodeRole,
    parentId: NodeId.nullable(),
    terminalId: NodeId.nullable().describe('The agent that runs in this terminal; its node becomes the one added.'),
  }),
  z.strictObject({
    kind: z.literal('describe'),
    nodeId: NodeId,
    label: NodeLabel.optional(),
    role: NodeRole.optional(),
    status: LineageNode.shape.status.optional(),
    summary: z.string().max(2_000).optional(),
    lastAction: z.string().max(2_000).optional(),
  }),
  z.strictObject({
    kind: z.literal('move'),
    nodeId: NodeId,
    parentId: NodeId.nullable().describe('null: to the top.'),
    index: z.number().int().min(0).optional().describe('Before the child that is there now; else last.'),
  }),
  z.strictObject({
    kind: z.literal('remove'),
    nodeId: NodeId.describe('A node without a terminal. What is below it moves up.'),
  }),
])
export type LineageChange = z.output<typeof LineageChange>

// The part of the lineage that outlives the server: nodes that callers have made, described or moved. The rest follows
// from terminals.

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
  /** The scope of its terminal, or of the caller that added it; null without one. It stays when the terminal goes. */
  scope: z.string().nullable(),
  /** How its terminal was started, also one that is gone; null when it never had one. */
  start: TerminalStart.nullable(),
  lastTerminal: z.string().nullable(),
})
export type KeptNode = Readonly<z.infer<typeof KeptNode>>

/** Parents may be nodes of terminals that are not kept. */
export const KeptLineage = z.array(KeptNode).max(lineageNodesMax + sessionsMax)
export type KeptLineage = readonly KeptNode[]

export interface LineageStore {
  readonly loadLineage: () => KeptLineage
  /** Errors: `machine_unfit`, on a full disk say. */
  readonly saveLineage: (kept: KeptLineage) => void
}
