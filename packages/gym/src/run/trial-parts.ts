/** What one trial is made of. */

import type { Client, Clock } from '@agentpty/protocol'
import type { RunRequest, TrialConfig } from '@agentpty/protocol/gym'
import type { Player } from './table.ts'

export interface TrialParts {
  readonly clock: Clock
  /** Its own connection: what a trial has made goes with it, and a server that is lost fails no other. */
  readonly connect: () => Promise<Client>
  readonly player: Player
  /** The task's folder, with everything that depends on a seed written. */
  readonly task: string
  readonly source: string | null
  readonly seed: number | null
  readonly config: TrialConfig
  /** The trial's, which is there. */
  readonly folder: string
  readonly request: Pick<RunRequest, 'allowRun' | 'allowNetwork' | 'offlineOk' | 'hostVariables'>
  readonly signal: AbortSignal
  /** Makes the task's folder, where it is not there yet. */
  readonly prepare: () => Promise<void>
  readonly tellTerminal: (terminalId: string) => void
}
