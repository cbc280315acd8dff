/** Plays tasks like `agentpty gym run`, without a separate process. */

import { join } from 'node:path'
import { systemClock } from '@agentpty/engine/system-clock'
import { gymRoom } from '@agentpty/gym'
import type { RunRequest, RunSummary, TrialRow } from '@agentpty/protocol/gym'
import type { Instance } from '../harness/instance.ts'

const noSeat = () => Promise.reject(new Error('no agent plays here'))
const seats = { agentNames: () => [], scopes: noSeat, connectAs: noSeat, cwd: process.cwd() }
const room = gymRoom({ clock: systemClock, own: join(process.cwd(), 'packages/agentpty/gym'), seats })

const defaults = {
  seeds: [1],
  attempts: 1,
  concurrent: 4,
  retries: 0,
  timeoutMultiplier: 1,
  allowRun: false,
  allowGenerator: false,
  allowNetwork: false,
  offlineOk: false,
  hostVariables: {},
}

export interface Play {
  readonly summary: RunSummary
  /** The first trial, and its folder. */
  readonly row: TrialRow
  readonly trial: string
}

let plays = 0

/** Writes the job into the folder `out`. */
export async function play(
  instance: Instance,
  request: Pick<RunRequest, 'tasks' | 'agent' | 'out'> & Partial<RunRequest>,
): Promise<Play> {
  const jobName = `play-${++plays}`
  const summary = await room.run(
    () => instance.rpc(),
    { ...defaults, jobName, ...request },
    () => undefined,
  )
  const row = summary.rows[0] as TrialRow
  return { summary, row, trial: join(request.out, jobName, row.trial) }
}
