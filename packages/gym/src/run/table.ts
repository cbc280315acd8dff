/** What a player has before it: the task, and a terminal to act on. */

import type { Client, Clock, Millis } from '@agentpty/protocol'
import type { Action, AgentContext, ResetResult, StepResult } from '@agentpty/protocol/gym'
import type { Inside } from './inside.ts'
import type { PreparedTask } from './prepare-task.ts'

export interface Table {
  readonly clock: Clock
  readonly client: Client
  readonly prepared: PreparedTask
  /** The step of a task that has several; null for the task itself. */
  readonly stepName: string | null
  readonly instruction: string
  readonly begun: ResetResult
  readonly inside: Inside
  /** Null for who only acts by `act`. */
  readonly seat: Seat | null
  /** Notes what was typed through tools. */
  readonly noteTyped: (typed: TypedStep) => void
  /** The folder of the agent's files. */
  readonly folder: string
  readonly timeoutMs: Millis
  /** Aborts when its time is over, or the job is cancelled. */
  readonly signal: AbortSignal
  /** Takes a step and notes it. Errors: `invalid_input` for what is no action, and once the episode is over. */
  act(action: Action): Promise<StepResult>
}

/** Something that was typed by itself, as the journal has it. */
export interface TypedStep {
  readonly verb: string
  readonly arguments: Readonly<Record<string, unknown>>
  /** What the terminal has shown from then on, until the next one. */
  readonly observation: string
  readonly at: number
  readonly cursor: { readonly from: number; readonly to: number }
}

/** How a player has ended, besides what the terminal shows. */
export interface Played {
  /** Of a program that was run; null: none was, or it was ended. */
  readonly exitCode: number | null
  /** The last line that it said of itself; null: it said nothing. */
  readonly lastWords: string | null
  readonly context: AgentContext | null
}

/** What a player needs that acts by itself, through agentpty's tools: a token that shows it these terminals and no others. */
export interface Seat {
  readonly scope: string
  /** With that token. */
  readonly client: Client
  leave(): Promise<void>
}

export interface Player {
  readonly name: string
  readonly version: string
  /** Nobody’s model decides. */
  readonly isScripted: boolean
  /** It does what the task's author calls right. */
  readonly isSolution?: boolean
  readonly model: string | null
  /** For who acts by itself. Errors: those of the token and the connection. */
  sit?(): Promise<Seat>
  /** Errors: `invalid_input` for a task that it cannot play. */
  play(table: Table): Promise<Played>
}

/** Nothing was run, and nobody was paid. */
export const playedQuietly: Played = { exitCode: null, lastWords: null, context: null }

/** Nothing goes on in this episode. */
export const isOver = ({ terminated, truncated }: StepResult): boolean => terminated || truncated
