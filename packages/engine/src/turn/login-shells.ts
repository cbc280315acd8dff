/** The shells of this machine, as its administrator and its packages list them. */

import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

const listOfShells = '/etc/shells'
/** Multiplexers are listed too. They relay another terminal and are no shells. */
const multiplexers: ReadonlySet<string> = new Set(['tmux', 'screen'])

/** Reads the names of the programs in /etc/shells; none where the file cannot be read. */
export function readLoginShells(): ReadonlySet<string> {
  try {
    return loginShellsIn(readFileSync(listOfShells, 'utf8'))
  } catch {
    return new Set()
  }
}

export function loginShellsIn(text: string): ReadonlySet<string> {
  const paths = text.split('\n').filter((line) => line.startsWith('/'))
  return new Set(paths.map((path) => basename(path.trim())).filter((name) => !multiplexers.has(name)))
}
