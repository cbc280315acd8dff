/** The command line's interface to tasks: plays, judges and replays them in environments of a daemon, where they can be watched. */

import type { Client } from '../client.ts'
import type { Millis } from '../units.ts'

export interface RunRequest {
  /** Folders of tasks, folders of folders of tasks, or what comes with agentpty: `tty-30`, `tty-30/htop-kill`. */
  readonly tasks: readonly string[]
  /** `oracle`, `nop`, `cheat`, an agent by its name, or a command that speaks JSON lines. */
  readonly agent: string
  /** For agents that are known by name. */
  readonly model?: string | undefined
  /** Seeds of tasks that are made from one; each is a task of its own. */
  readonly seeds: readonly number[]
  readonly attempts: number
  readonly concurrent: number
  /** How often a trial is played again that the machinery has failed. */
  readonly retries: number
  /** The folder of jobs, in which this one gets a folder of its own. */
  readonly out: string
  readonly jobName?: string | undefined
  /** RUN of Dockerfiles is run, inside. */
  readonly allowRun: boolean
  /** generate.py of tasks that do not come with agentpty is run, on this machine. */
  readonly allowGenerator: boolean
  /** Tasks that ask for the network get it. */
  readonly allowNetwork: boolean
  /** Tasks that need the network are played without it. */
  readonly offlineOk: boolean
  /** Variables of this process that tasks may be given. */
  readonly hostVariables: Readonly<Record<string, string>>
  readonly timeoutMultiplier: number
  readonly signal?: AbortSignal | undefined
}

/** `failed`: by the machinery, so that it says nothing about the player. */
export type TrialOutcome = 'rewarded' | 'unrewarded' | 'failed' | 'cancelled'

export interface TrialRow {
  readonly task: string
  readonly seed: number | null
  readonly attempt: number
  readonly agent: string
  /** Below the job's folder. */
  readonly trial: string
  readonly outcome: TrialOutcome
  /** The key `reward`, or the mean of all; null where there is none, which counts as 0 unless the machinery has failed. */
  readonly reward: number | null
  readonly rewards: Readonly<Record<string, number>> | null
  readonly steps: number
  readonly durationMs: Millis
  /** The failure, in a sentence. */
  readonly problem: string | null
  /** Differences from the task's settings: an image that is not used, memory that it does not get. */
  readonly notes: readonly string[]
}

export interface WriteTasks {
  readonly seed: number
  readonly to: string
  /** Generators that do not come with agentpty are run, too. */
  readonly isAllowed: boolean
}

export type RunEvent =
  | { readonly kind: 'begins'; readonly folder: string; readonly total: number; readonly notes: readonly string[] }
  | { readonly kind: 'trial'; readonly task: string; readonly terminalId: string }
  | { readonly kind: 'ended'; readonly row: TrialRow }

export interface RunSummary {
  readonly folder: string
  readonly rows: readonly TrialRow[]
  /** Mean over all that the machinery has not failed; null where there are none. */
  readonly meanReward: number | null
  readonly durationMs: Millis
}

export interface TaskFault {
  readonly task: string
  /** In a sentence. */
  readonly fault: string
}

export interface Validation {
  readonly tasks: number
  /** One for each play: the oracle, doing nothing, each cheat. */
  readonly rows: readonly (TrialRow & { readonly wanted: number })[]
  readonly faults: readonly TaskFault[]
}

export interface ReplayDifference {
  readonly step: number
  readonly recorded: string
  readonly shown: string
}

export interface ReplayReport {
  readonly task: string | null
  readonly agent: string
  readonly steps: number
  readonly differences: readonly ReplayDifference[]
  /** How long it took, and how long it had taken when that is known. */
  readonly durationMs: Millis
  readonly recordedMs: Millis | null
  /** The screen at the end, and whether it is the recorded one; null where none was recorded. */
  readonly screen: string
  readonly isSameScreen: boolean | null
  /** SHA-256 over all files of the working folder at the end. */
  readonly files: string
}

export interface ReplayRequest {
  /** A trajectory.json, a trial’s folder, or a list of actions as JSON lines. */
  readonly source: string
  /** A task's folder, where the source names none. */
  readonly task?: string | undefined
  /** Waits as long as the commands say, as Terminus does. */
  readonly legacySleep: boolean
}

export interface BenchRow {
  readonly what: string
  readonly count: number
  /** Null for what is only counted in a second. */
  readonly p50Ms: Millis | null
  readonly p95Ms: Millis | null
  readonly perSecond: number | null
}

export interface GymRoom {
  /** Each trial connects for itself. Errors: `invalid_input` for words that mean no task; `machine_unfit`. */
  run(connect: () => Promise<Client>, request: RunRequest, tell: (event: RunEvent) => void): Promise<RunSummary>
  /** Plays each task by its oracle (1), by a player that does nothing (0), and by each of its cheats (0). Errors: as `run`. */
  validate(
    connect: () => Promise<Client>,
    request: Omit<RunRequest, 'agent'>,
    tell: (event: RunEvent) => void,
  ): Promise<Validation>
  /** Errors: `invalid_input`, `machine_unfit`. */
  replay(client: Client, request: ReplayRequest): Promise<ReplayReport>
  /** Steps and resets on this machine. Errors: `sandbox_unavailable`, `machine_unfit`. */
  bench(client: Client, tell: (row: BenchRow) => void): Promise<void>
  /** Plain folders of tasks, made with a seed: into folders of their names below `to`. Errors: `invalid_input`, `machine_unfit`. */
  write(tasks: readonly string[], options: WriteTasks): Promise<readonly string[]>
  /** A task of terminal-bench 1 as one of Harbor. The notes are for a person. Errors: `invalid_input`, `machine_unfit`. */
  import(from: string, to: string): readonly string[]
  /** Names of tasks that come with agentpty. */
  readonly ownTasks: () => readonly string[]
}
