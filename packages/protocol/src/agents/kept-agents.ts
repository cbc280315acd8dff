/** Records of agents that outlive the server: the last task of each, and its answer. */

import * as z from 'zod'
import { Sandbox } from '../sandbox/sandbox.ts'
import type { LineageStore } from './lineage.ts'
import type { InboxStore } from './messages.ts'

const KeptTask = z.strictObject({
  taskId: z.string(),
  /** In the fences between which it was asked to answer; null when it was not asked for any. */
  nonce: z.string().nullable(),
  /** The end of the output when it was instructed: output before it belongs to other tasks. */
  since: z.number().int(),
  /** In milliseconds since 1970. */
  givenAt: z.number(),
  /** The last answer between fences that anybody can print, as it was seen then; null when there was none. */
  before: z.string().nullable(),
})
export type KeptTask = Readonly<z.infer<typeof KeptTask>>

/**
 * `transcript`: an answer, to the letter. `fences`: an answer, whole, as its screen has shown it. `hook`: the same, as its own hook has
 * reported it. `screen`: the end of a screen, with whatever stood there.
 */
export const ArtifactSource = z.enum(['transcript', 'fences', 'hook', 'message', 'screen'])
export type ArtifactSource = z.infer<typeof ArtifactSource>

const KeptArtifact = z.strictObject({
  /** Null for what was captured of an agent without a task. */
  taskId: z.string().nullable(),
  originalBytes: z.number().int(),
  capturedAt: z.number(),
  /** Unknown for artifacts that were stored before this field existed. */
  source: ArtifactSource.default('screen'),
})
export type KeptArtifact = Readonly<z.infer<typeof KeptArtifact>>

/** A folder with a branch of its own that was made for an agent. */
export const Worktree = z.object({
  path: z.string().describe('The folder. It stays when the agent ends: git worktree remove PATH.'),
  branch: z.string().describe('Named after the folder.'),
})
export type Worktree = Readonly<z.infer<typeof Worktree>>

const KeptStart = z.strictObject({
  /** The name of its terminal; null when it had none. */
  name: z.string().nullable(),
  cwd: z.string(),
  model: z.string().nullable(),
  sandbox: Sandbox.nullable(),
  /** The scope of the caller that started it; null without one. */
  scope: z.string().nullable(),
  /** In milliseconds since 1970. */
  startedAt: z.number(),
  worktree: Worktree.nullable(),
  /** Where its program keeps transcripts; null where that is not known. Absent, like what follows, of agents from before it was kept. */
  transcripts: z.string().nullable().optional(),
  /** The terminals above it, the outermost first. */
  ancestors: z.array(z.string()).optional(),
})
export type KeptStart = Readonly<z.infer<typeof KeptStart>>

const KeptAgent = z.strictObject({
  type: z.string(),
  /** The program's name for its conversation; null where agentpty did not choose it. */
  conversation: z.string().nullable(),
  /** How it was started, for a restart; absent for agents that were stored before this field existed. */
  start: KeptStart.optional(),
})
export type KeptAgent = Readonly<z.infer<typeof KeptAgent>>

/** By the ids of terminals, the newest last. */
export const KeptAgents = z.strictObject({
  last: z.number().int().min(0),
  agents: z.record(z.string(), KeptAgent),
  tasks: z.record(z.string(), KeptTask),
  artifacts: z.record(z.string(), KeptArtifact),
})
export type KeptAgents = Readonly<z.infer<typeof KeptAgents>>

export const noAgents: KeptAgents = { last: 0, agents: {}, tasks: {}, artifacts: {} }

/** Keeps them, and the texts of artifacts, whole. Errors: `machine_unfit`, on a full disk say. */
export interface AgentStore extends InboxStore, LineageStore {
  readonly load: () => KeptAgents
  readonly save: (kept: KeptAgents) => void
  /** Returns the artifact that is stored under this id; null when there is none. */
  readonly loadArtifact: (terminalId: string) => string | null
  readonly saveArtifact: (terminalId: string, text: string) => void
  readonly dropArtifact: (terminalId: string) => void
  /** The path of a file with this text, for the agent to read; null where there is no place for one. */
  readonly saveInstruction: (taskId: string, text: string, folder: string | 'anywhere') => string | null
  readonly dropInstruction: (taskId: string) => void
  /** The path of a file with settings for agents of this type; null where there is no place for one. */
  readonly saveSettings: (type: string, text: string) => string | null
}
