/** The result of a job: result.json in its folder. Unknown keys are kept. */

import type { Client, Clock, Millis } from '@agentpty/protocol'
import {
  type Action,
  type AgentContext,
  type DeepReadonly,
  Moment,
  maybe,
  type ResetResult,
  type StepResult,
  TrialResult,
} from '@agentpty/protocol/gym'
import * as z from 'zod'
import type { Inside } from './inside.ts'
import type { PreparedTask } from './prepare-task.ts'

const Count = z.number().int().min(0).default(0)
const TrialNames = z.array(z.string())

const Evaluation = z.looseObject({
  n_trials: Count,
  n_errors: Count,
  metrics: z.array(z.record(z.string(), z.unknown())).default([]),
  /** The share by k. */
  pass_at_k: z.record(z.string(), z.number()).default({}),
  /** The trials by reward key and value. */
  reward_stats: z.record(z.string(), z.record(z.string(), TrialNames)).default({}),
  /** The trials by the type of their error. */
  exception_stats: z.record(z.string(), TrialNames).default({}),
})
export type Evaluation = DeepReadonly<z.output<typeof Evaluation>>

const JobStats = z
  .looseObject({
    n_completed_trials: Count,
    n_errored_trials: Count,
    n_running_trials: Count,
    n_pending_trials: Count,
    n_cancelled_trials: Count,
    n_retries: Count,
    n_input_tokens: maybe(z.number().int()),
    n_cache_tokens: maybe(z.number().int()),
    n_output_tokens: maybe(z.number().int()),
    cost_usd: maybe(z.number()),
    /** Results by `agent__model__dataset`. */
    evals: z.record(z.string(), Evaluation).default({}),
    /** Keys that older jobs have in place of the first two. */
    n_trials: z.number().int().min(0).optional(),
    n_errors: z.number().int().min(0).optional(),
  })
  .transform(({ n_trials, n_errors, ...stats }) => ({
    ...stats,
    n_completed_trials: stats.n_completed_trials || (n_trials ?? 0),
    n_errored_trials: stats.n_errored_trials || (n_errors ?? 0),
  }))
export type JobStats = DeepReadonly<z.output<typeof JobStats>>

export const JobResult = z.looseObject({
  id: z.uuid(),
  started_at: Moment,
  updated_at: maybe(Moment),
  finished_at: maybe(Moment),
  n_total_trials: z.number().int().min(0),
  stats: JobStats,
  trial_results: z.array(TrialResult).default([]),
})
export type JobResult = DeepReadonly<z.output<typeof JobResult>>

/** The position of a player: the task, and a terminal to act on. */
export interface Table {
  readonly clock: Clock
  readonly client: Client
  readonly prepared: PreparedTask
  /** The step of a task that has several; null for the task itself. */
  readonly stepName: string | null
  readonly instruction: string
  readonly begun: ResetResult
  readonly inside: Inside
  /** Null for a player that only acts by `act`. */
  readonly seat: Seat | null
  readonly noteTyped: (typed: TypedStep) => void
  readonly folder: string
  readonly timeoutMs: Millis
  /** Aborts when its time is over, or the job is cancelled. */
  readonly signal: AbortSignal
  /** Takes a step and notes it. Errors: `invalid_input` for what is no action, and once the episode is over. */
  act(action: Action): Promise<StepResult>
}

/** Input that was typed without a step, as the journal has it. */
export interface TypedStep {
  readonly verb: string
  readonly arguments: Readonly<Record<string, unknown>>
  /** The output of the terminal from then on, until the next action. */
  readonly observation: string
  readonly at: number
  readonly cursor: { readonly from: number; readonly to: number }
}

/** The end of a player, besides the output of the terminal. */
export interface Played {
  /** The exit code of a program that the player ran; null: there was none, or it was killed. */
  readonly exitCode: number | null
  /** The last line that it said of itself; null: it said nothing. */
  readonly lastWords: string | null
  readonly context: AgentContext | null
}

/** Access for a player that calls agentpty's tools itself: a token that shows it these terminals and no others. */
export interface Seat {
  readonly scope: string
  readonly client: Client
  leave(): Promise<void>
}

export interface Player {
  readonly name: string
  readonly version: string
  /** No model decides. */
  readonly isScripted: boolean
  /** The player does what the task's author calls right. */
  readonly isSolution?: boolean
  readonly model: string | null
  /** For a player that calls tools itself. Errors: those of the token and the connection. */
  sit?(): Promise<Seat>
  /** Errors: `invalid_input` for a task that it cannot play. */
  play(table: Table): Promise<Played>
}

/** The result of a play that ran no program and cost nothing. */
export const playedQuietly: Played = { exitCode: null, lastWords: null, context: null }

export const isOver = ({ terminated, truncated }: StepResult): boolean => terminated || truncated
