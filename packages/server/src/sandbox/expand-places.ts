/** Rows of the policy's tables as the places that are there now. */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sandboxEntriesMax } from '@agentpty/protocol'
import { isPattern, matchesPart, statOf } from '@agentpty/shell-policy'

/** Rows as `~/.aws/**`, `.git/modules/*\/hooks`: the existing places that they name, each with all that is below it. */
export function expandPlaces(rows: readonly string[], { home, folder }: { home: string; folder: string }): string[] {
  return rows.flatMap((row) => {
    const whole = row.replace(/\/\*\*$/, '')
    const path = whole.startsWith('~/')
      ? join(home, whole.slice(2))
      : whole.startsWith('/')
        ? whole
        : join(folder, whole)
    return named(path)
  })
}

function named(path: string): string[] {
  if (!isPattern(path)) return statOf(path) === null ? [] : [path]
  return path
    .split('/')
    .slice(1)
    .reduce<string[]>((found, part) => found.flatMap((at) => entries(at, part)), ['/'])
}

function entries(folder: string, part: string): string[] {
  if (!isPattern(part)) return statOf(join(folder, part)) === null ? [] : [join(folder, part)]
  try {
    const names = readdirSync(folder).slice(0, sandboxEntriesMax)
    return names.filter((name) => matchesPart(name, part)).map((name) => join(folder, name))
  } catch {
    // It is not there, or not ours to read: then it is not there for its programs either.
    return []
  }
}
