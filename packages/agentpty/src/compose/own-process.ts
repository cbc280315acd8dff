/** The process that a command runs in: its user, its instance, and its environment. */

import { readlinkSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { commandLineName } from '@agentpty/protocol/call'
import { type Paths, resolvePaths } from '@agentpty/protocol/home'
import { tokenVariable } from '@agentpty/protocol/session'

interface ProcessFacts {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Errors: throws in a deleted folder. */
  readonly cwd: () => string
  /** The program’s file, as it was called. */
  readonly script: string
  readonly userId: number
  /** Null in a pipe. */
  readonly terminalName: string | null
  /** Writes to standard error. */
  readonly complain: (text: string) => void
}

export class OwnProcess {
  readonly facts: ProcessFacts
  readonly paths: Paths

  constructor(facts: ProcessFacts) {
    this.facts = facts
    this.paths = resolvePaths(facts.env, facts.userId)
  }

  get home(): string {
    return this.facts.env['HOME'] || homedir()
  }

  /** The environment without the token, which no terminal gets. */
  get environment(): Readonly<Record<string, string>> {
    const { [tokenVariable]: _, ...env } = this.facts.env
    const set = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)
    return Object.fromEntries(set)
  }

  /** The token of the caller; undefined without one. */
  get token(): string | undefined {
    return this.facts.env[tokenVariable] || undefined
  }

  /** The name by which a person knows this caller. */
  get callerName(): string {
    return commandLineName(userName(this.facts.userId), this.facts.terminalName)
  }
}

/** The process that this runs in. */
export function thisOwnProcess(): OwnProcess {
  return new OwnProcess({
    env: process.env,
    cwd: () => process.cwd(),
    script: process.argv[1] ?? '',
    userId: process.getuid?.() ?? 0,
    terminalName: terminalName(),
    complain: (text) => void process.stderr.write(text),
  })
}

function userName(userId: number): string {
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
