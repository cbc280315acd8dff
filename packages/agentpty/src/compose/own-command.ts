/** The command that starts this agentpty. */

import { existsSync, realpathSync } from 'node:fs'
import { delimiter, join, sep } from 'node:path'
import type { OwnProcess } from './own-process.ts'

/** The command by which a client starts us: the one we were started by, so that it gets the same agentpty. */
export function ownCommand({ script: entry, env }: OwnProcess['facts']): readonly string[] {
  if (entry.includes(`${sep}_npx${sep}`)) return ['npx', '-y', 'agentpty']
  const onPath = (env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'agentpty'))
  const isOurs = (file: string) => existsSync(file) && realpathSync(file) === realpathSync(entry)
  return onPath.some(isOurs) ? ['agentpty'] : [process.execPath, realpathSync(entry)]
}
