/** What the handlers of verbs use. */

import type { Agents } from '../../contracts/agents/agents.ts'
import type { ApprovalQueue } from '../../contracts/approvals/approval-queue.ts'
import type { TerminalRecords } from '../../contracts/audit/terminal-records.ts'
import type { CallContext } from '../../contracts/call/call-context.ts'
import type { Environments } from '../../contracts/gym/environments.ts'
import type { Config } from '../../contracts/home/config.ts'
import type { Overview } from '../../contracts/needs/overview.ts'
import type { Devices } from '../../contracts/page/device.ts'
import type { Pipelines } from '../../contracts/pipelines/pipelines.ts'
import type { Clock } from '../../contracts/ports.ts'
import type { Questions } from '../../contracts/questions/question.ts'
import type { KeptRecordings } from '../../contracts/recording/kept-recordings.ts'
import type { Walls } from '../../contracts/sandbox/walls.ts'
import type { CallerScope } from '../../contracts/scope/scope.ts'
import type { SecretValues } from '../../contracts/secrets/secret-values.ts'
import type { SeenHost } from '../../engine/host/seen-host.ts'

export interface EngineContext {
  /** The terminals that the caller sees. */
  readonly host: SeenHost
  readonly clock: Clock
  /** The questions of programs to persons. */
  readonly questions: Questions
  /** What agents want to do and persons decide. */
  readonly approvals: ApprovalQueue
  /** All terminals at a glance, and what needs a person. */
  readonly overview: Overview
  /** Masked in what leaves; null where the caller is the program itself, and no model. */
  readonly secrets: SecretValues | null
  readonly agents: Agents
  readonly pipelines: Pipelines
  readonly walls: Walls
  /** A scope that holds now, by its name. */
  readonly scopeNamed: (name: string) => CallerScope | null
  readonly environments: Environments
  /** What was done in terminals; null where nothing keeps it. */
  readonly journal: TerminalRecords | null
  /** Recordings on the disk; null where nothing is recorded. */
  readonly recordings: KeptRecordings | null
  /** Browsers that may open the page; null where there is no page. */
  readonly devices: Devices | null
  /** Folder of the shell integration scripts. */
  readonly shellScripts: string
  /** The files of fonts that pictures are drawn with, ours first. */
  readonly fonts: () => readonly string[]
  /** AGENTPTY_HOME of this instance; null with the XDG folders. */
  readonly home: string | null
  readonly config: Config
}

/** What is masked for a caller; null for a person, who sees what is there. */
export function secretsFor({ secrets }: EngineContext, { isPerson }: CallContext): SecretValues | null {
  return isPerson === true ? null : secrets
}
