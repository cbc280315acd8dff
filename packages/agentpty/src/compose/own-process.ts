/** The facts about this process that commands share: its user, its instance, and its environment. */

import { readlinkSync } from 'node:fs'
import { userInfo } from 'node:os'
import { commandLineName } from '@agentpty/protocol/call'
import { resolvePaths } from '@agentpty/protocol/home'
import { tokenVariable } from '@agentpty/protocol/session'

export const userId = process.getuid?.() ?? 0
export const paths = resolvePaths(process.env, userId)

/** The environment without the token, which no terminal gets. */
export function ownEnvironment(): Readonly<Record<string, string>> {
  const { [tokenVariable]: _, ...env } = process.env
  const set = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return Object.fromEntries(set)
}

/** The token of the caller; undefined without one. */
export function ownToken(): string | undefined {
  return process.env[tokenVariable] || undefined
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    // A user without an entry in the table of users, as in some containers.
    return String(userId)
  }
}

/** Null in a pipe, and where the system does not report it. */
function terminalName(): string | null {
  if (!process.stdin.isTTY) return null
  try {
    return readlinkSync('/proc/self/fd/0').replace(/^\/dev\//, '')
  } catch {
    // Only Linux has it there.
    return null
  }
}

/** The name by which a person knows this caller. */
export function ownName(): string {
  return commandLineName(userName(), terminalName())
}
