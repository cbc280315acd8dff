/** The command that starts this agentpty. */

import { existsSync, realpathSync } from 'node:fs'
import { delimiter, join, sep } from 'node:path'

/** The command by which a client starts us: the one we were started by, so that it gets the same agentpty. */
export function ownCommand(): readonly string[] {
  const entry = process.argv[1] ?? ''
  if (entry.includes(`${sep}_npx${sep}`)) return ['npx', '-y', 'agentpty']
  const onPath = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'agentpty'))
  const isOurs = (file: string) => existsSync(file) && realpathSync(file) === realpathSync(entry)
  return onPath.some(isOurs) ? ['agentpty'] : [process.execPath, realpathSync(entry)]
}
