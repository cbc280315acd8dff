/** Sockets of programs outside, which a folder that can only be read does not hold: connecting to one is no writing. */

import { readFileSync } from 'node:fs'
import { sandboxSocketsMax } from '@agentpty/protocol'

/** The paths of all that listen, or take messages. */
export function listeningSockets(): string[] {
  let table: string
  try {
    table = readFileSync('/proc/net/unix', 'utf8')
  } catch {
    // A system without it: nothing is known of its sockets.
    return []
  }
  return socketsIn(table).slice(0, sandboxSocketsMax)
}

/** `Num: RefCount Protocol Flags Type St Inode Path`: listening has its flag, and what takes messages its type. */
export function socketsIn(table: string): string[] {
  const rows = table.split('\n').map((line) => /^\S+: \S+ \S+ (\S+) (\S+) \S+ +\d+ (\/.*)$/.exec(line))
  const paths = rows.flatMap((row) =>
    row !== null && (row[1] === '00010000' || row[2] === '0002') ? [row[3] ?? ''] : [],
  )
  return [...new Set(paths)]
}
