/** The cheats of a task, by their files. */

import { join } from 'node:path'
import { temporaryFolder } from '@agentpty/server/files'
import type { FoundTask } from './find-tasks.ts'
import { type Generation, generateTask } from './generate-task.ts'
import { cheat, cheatsOf } from './scripted-players.ts'
import type { Player } from './table.ts'

/** Which there are is seen once the task is made; for every seed they have the same names. Errors: `environment`. */
export async function cheatsFor(
  task: FoundTask,
  { seed, isAllowed }: Omit<Generation, 'to'>,
): Promise<readonly Player[]> {
  if (!task.isGenerated) return cheatsOf(task.folder).map(cheat)
  const temporary = temporaryFolder('agentpty-gym-')
  const scratch = temporary.path
  try {
    await generateTask(task, { seed, to: join(scratch, 'task'), isAllowed })
    return cheatsOf(join(scratch, 'task')).map(cheat)
  } finally {
    await temporary.remove()
  }
}
