/** A verb as a record: every face reads its name, schemas, summary and example from here. */

import type { z } from 'zod'

/** What a verb does to the world, for clients that ask before they call. */
export type Effect = 'reads' | 'changes' | 'destroys'

export interface Operation<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  readonly name: string
  /** The tool's name for agents; null for what only people and programs do. */
  readonly tool: string | null
  readonly title: string
  /** What it does and when to use it, in as few words as a model needs. */
  readonly summary: string
  readonly effect: Effect
  readonly input: Input
  readonly output: Output
  readonly example: z.infer<Input>
}

export function defineOperation<Input extends z.ZodType, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
): Operation<Input, Output> {
  return operation
}

/** Who calls, for ownership, environment and cancellation. */
export interface CallContext {
  /** One per connection of a client; sessions remember who made them. */
  readonly client: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** How much output of a command one result may hold, where that is more than a model should be given. */
  readonly outputBytes?: number
  /** A screen's rows keep the blanks that a program wrote at their ends: `$ ` and not `$`. */
  readonly keepsBlanks?: boolean
  /** How long a wait may last, where nobody cuts the call off; otherwise `waitMsMax`. */
  readonly waitMsMax?: number
  readonly signal?: AbortSignal
  /** Called while a wait goes on, about every two seconds, with how long it has lasted and may last, in ms. */
  readonly progress?: (waitedMs: number, totalMs: number) => void
}
