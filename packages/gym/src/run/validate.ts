/** Whether tasks reward the work and nothing else, and keep what they promise of being the same again. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client, Clock } from '@agentpty/protocol'
import {
  type RunEvent,
  type RunRequest,
  settingsFileBytesMax,
  type TaskFault,
  type TrialRow,
  type Validation,
} from '@agentpty/protocol/gym'
import { OwnMetadata } from '../atif/own-metadata.ts'
import { readTextInside } from '../folder-files.ts'
import { readTask, readTaskToml } from '../harbor/read-task.ts'
import { parseAs } from '../malformed.ts'
import { cheatsFor } from './cheats-for.ts'
import type { FoundTask } from './find-tasks.ts'
import { planTrials, runJob } from './job.ts'
import { playPlaces } from './play-log.ts'
import { nop, oracle } from './scripted-players.ts'

export interface Validating {
  readonly clock: Clock
  readonly connect: () => Promise<Client>
  readonly tasks: readonly FoundTask[]
  readonly request: Omit<RunRequest, 'agent'>
  readonly tell: (event: RunEvent) => void
}

/** Errors: those of a job. */
export async function validate({ clock, connect, tasks, request, tell }: Validating): Promise<Validation> {
  const known = tasks.map((task) => ({ task, read: promiseOf(task) }))
  const faults = known.flatMap(({ task, read }) =>
    read.fault === null ? [] : [{ task: task.name, fault: read.fault }],
  )
  const promising = new Set(known.filter(({ read }) => read.isDeterministic).map(({ task }) => task.name))
  const readable = known.filter(({ read }) => read.fault === null).map(({ task }) => task)
  const players = async (task: FoundTask) => [
    ...(promising.has(task.name) ? [oracle, oracle] : [oracle]),
    nop,
    ...(await cheatsFor(task, { seed: request.seeds[0] ?? 1, isAllowed: request.allowGenerator })),
  ]
  const trials = await planTrials(readable, players, request)
  const { rows, folder } = await runJob({ clock, connect, request, trials, tell })
  const judged = rows.map((row) => ({ ...row, wanted: row.agent === oracle.name ? 1 : 0 }))
  const differing = differingScreens(
    rows.filter(({ agent, task }) => agent === oracle.name && promising.has(task)),
    folder,
  )
  return { tasks: tasks.length, rows: judged, faults: [...faults, ...judged.flatMap(rewardFault), ...differing] }
}

interface Promised {
  readonly isDeterministic: boolean
  /** In a sentence; null: it can be read. */
  readonly fault: string | null
}

function promiseOf({ folder, isGenerated }: FoundTask): Promised {
  try {
    const { task } = isGenerated
      ? readTaskToml(readTextInside(folder, 'task.toml', settingsFileBytesMax) ?? '')
      : readTask(folder)
    const { deterministic } = parseAs(OwnMetadata, task.metadata['agentpty'] ?? {}, 'metadata.agentpty')
    return { isDeterministic: deterministic === true, fault: null }
  } catch (error) {
    return { isDeterministic: false, fault: error instanceof Error ? error.message : String(error) }
  }
}

const seedText = ({ seed }: Pick<TrialRow, 'seed'>): string => (seed === null ? '' : ` (seed ${seed})`)

function rewardFault(row: Validation['rows'][number]): readonly TaskFault[] {
  const { task, agent, outcome, reward, wanted, problem } = row
  const got = outcome === 'rewarded' || outcome === 'unrewarded' ? (reward ?? 0) : null
  if (got === wanted) return []
  const why = problem === null ? '' : `: ${problem}`
  return [{ task, fault: `${agent}${seedText(row)} got ${reward ?? 'no reward'} and not ${wanted}${why}` }]
}

/** The same actions on the same beginning must have ended with the same screen. */
function differingScreens(rows: readonly TrialRow[], folder: string): readonly TaskFault[] {
  const first = new Map<string, string>()
  return rows.flatMap((row): readonly TaskFault[] => {
    if (row.outcome !== 'rewarded') return []
    const key = `${row.task} ${row.seed} ${row.attempt}`
    const screen = readFileSync(join(folder, row.trial, 'agent', playPlaces.screen), 'utf8')
    const other = first.get(key)
    first.set(key, other ?? screen)
    if (other === undefined || other === screen) return []
    return [{ task: row.task, fault: `it promises to be deterministic, and ended with two screens${seedText(row)}` }]
  })
}
