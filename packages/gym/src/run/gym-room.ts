/** What the command line does with tasks: see the port. */

import { existsSync, mkdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { type Clock, TermError } from '@agentpty/protocol'
import type { GymRoom, RunRequest } from '@agentpty/protocol/gym'
import { importTerminalBench, writeImportedTask } from '../harbor/import-terminal-bench.ts'
import { CopyBudget, copyContents } from '../tree/copy.ts'
import { Folder } from '../tree/folder.ts'
import { agentPlayer, isAgent, type Seats } from './agent-player.ts'
import { bench } from './bench.ts'
import { cheatsFor } from './cheats-for.ts'
import { type FoundTask, findTasks, ownTaskNames } from './find-tasks.ts'
import { type Generation, generateTask } from './generate-task.ts'
import { planTrials, runJob } from './job.ts'
import { linePlayer } from './line-player.ts'
import { replay } from './replay.ts'
import { nop, oracle } from './scripted-players.ts'
import type { Player } from './table.ts'
import { validate } from './validate.ts'

export interface GymRoomOptions {
  readonly clock: Clock
  /** The folder of data sets that come with agentpty. */
  readonly own: string
  readonly seats: Seats
}

export function gymRoom({ clock, own, seats }: GymRoomOptions): GymRoom {
  const found = (words: readonly string[]) => findTasks(words, own)
  return {
    run: async (connect, request, tell) => {
      const trials = await planTrials(found(request.tasks), playersFor(request, seats), request)
      return runJob({ clock, connect, request, trials, tell })
    },
    validate: (connect, request, tell) => validate({ clock, connect, tasks: found(request.tasks), request, tell }),
    bench: (client, tell) => bench(clock, client, tell),
    replay: (client, request) => replay(clock, client, request),
    write: async (words, { seed, to, isAllowed }) => {
      const folders: string[] = []
      for (const task of found(words))
        folders.push(await writeTask(task, { seed, to: resolve(to, basename(task.folder)), isAllowed }))
      return folders
    },
    import: (from, to) => {
      const imported = importTerminalBench(resolve(from))
      writeImportedTask(imported, resolve(to))
      return imported.notes
    },
    ownTasks: () => ownTaskNames(own),
  }
}

function playersFor(
  { agent, seeds, model, allowGenerator }: Pick<RunRequest, 'agent' | 'seeds' | 'model' | 'allowGenerator'>,
  seats: Seats,
): (task: FoundTask) => Promise<readonly Player[]> {
  if (agent === 'oracle') return async () => [oracle]
  if (agent === 'nop') return async () => [nop]
  if (agent === 'cheat') return (task) => cheatsFor(task, { seed: seeds[0] ?? 1, isAllowed: allowGenerator })
  const player = isAgent(agent, seats) ? agentPlayer(agent, model ?? null, seats) : linePlayer(agent)
  return async () => [player]
}

async function writeTask(task: FoundTask, generation: Generation): Promise<string> {
  const { to } = generation
  if (existsSync(join(to, 'task.toml')))
    throw new TermError('invalid_input', `${to} has a task.toml already.`, 'Name another folder, or remove it.')
  if (task.isGenerated) await generateTask(task, generation)
  else copyTask(task.folder, to)
  return to
}

/** Links are copied as links. Errors: `invalid_input`, `limit_reached`. */
function copyTask(folder: string, to: string): void {
  mkdirSync(to, { recursive: true })
  const [source, target] = [Folder.open(folder), Folder.open(to)]
  try {
    copyContents({ from: source, to: target, budget: new CopyBudget(), shown: folder })
  } finally {
    source.close()
    target.close()
  }
}
