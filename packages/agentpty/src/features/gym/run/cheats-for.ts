/** The cheats of a task, by their files. */

import { join } from 'node:path'
import { temporaryFolder } from '../../../home/temporary-folder.ts'
import type { FoundTask } from './find-tasks.ts'
import { generateTask } from './generate-task.ts'
import { cheat, cheatsOf } from './scripted-players.ts'
import type { Player } from './table.ts'

/** Which there are is seen once the task is made; for every seed they have the same names. Errors: `environment`. */
export async function cheatsFor({ folder, isGenerated }: FoundTask, seed: number): Promise<readonly Player[]> {
  if (!isGenerated) return cheatsOf(folder).map(cheat)
  const temporary = temporaryFolder('agentpty-gym-')
  const scratch = temporary.path
  try {
    await generateTask(folder, seed, join(scratch, 'task'))
    return cheatsOf(join(scratch, 'task')).map(cheat)
  } finally {
    await temporary.remove()
  }
}
