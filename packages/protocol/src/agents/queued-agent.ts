/** What is kept of an agent that is to be started once others have finished, from one server to the next. */

import * as z from 'zod'
import { Origin } from '../call/origin.ts'
import { errorCodes } from '../errors.ts'

/** Another agent that it waits for. */
const KeptDependency = z.strictObject({
  /** Its terminal, or the name under which it is queued. */
  target: z.string(),
  /** What lists call it. */
  shown: z.string(),
  /** The names by which the task may call its answer. */
  names: z.array(z.string()),
})
export type KeptDependency = Readonly<z.infer<typeof KeptDependency>>

const KeptFailure = z.strictObject({ code: z.enum(errorCodes), message: z.string(), hint: z.string() })

export const KeptQueuedAgent = z.strictObject({
  /** That of its terminal, once there is one; until then it is its id. */
  name: z.string(),
  slot: z.number().int().nullable(),
  workspace: z.string().nullable(),
  type: z.string(),
  model: z.string().nullable(),
  cwd: z.string().nullable(),
  throughShell: z.enum(['always', 'never', 'unless-set']).nullable(),
  /** With the answers of others not filled in yet. */
  task: z.string(),
  dependencies: z.array(KeptDependency),
  /** How long they may take, in seconds, and until when that is, in milliseconds since 1970. */
  seconds: z.number(),
  until: z.number(),
  queuedAt: z.number(),
  /** Who has queued it: as them it is started. */
  origin: Origin,
  /** `starting`: its terminal may be there. */
  state: z.enum(['waiting', 'starting', 'failed']),
  /** Why it was not started; null for one that may still be. */
  failure: KeptFailure.nullable(),
})
export type KeptQueuedAgent = Readonly<z.infer<typeof KeptQueuedAgent>>

/** Keeps them, each by its name. Errors: `environment`, on a full disk say. */
export interface QueuedAgentStore {
  /** The one that was queued first comes first. */
  readonly load: () => readonly KeptQueuedAgent[]
  readonly save: (queued: KeptQueuedAgent) => void
  readonly drop: (name: string) => void
}
