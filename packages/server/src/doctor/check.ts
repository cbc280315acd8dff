/** One thing that is checked. A check never throws: an error is its finding. */

import { searchableText } from '@agentpty/engine/waits'
import { type Client, type Clock, complaintBytesMax, isTermError } from '@agentpty/protocol'
import type { AuditRoom } from '@agentpty/protocol/audit'
import type { ConfigSetting, Paths } from '@agentpty/protocol/home'
import type { PolicyFileState } from '@agentpty/protocol/policy'
import type { ClientState, FindAgents, Finding, FindingMark } from '@agentpty/protocol/setup'

export interface Subject {
  readonly paths: Paths
  readonly home: string
  readonly userId: number
  readonly env: Readonly<Record<string, string>>
  readonly version: string
  readonly build: string
  /** The script that was started, links resolved; null when it is one of those that `npx` keeps for a while. */
  readonly ownScript: string | null
  readonly clock: Clock
  /** How long a client's server may take to answer. */
  readonly answerMs: number
  /** The ptyhost program. Errors: `host_missing`. */
  readonly hostProgram: () => Promise<string>
  /** Errors: `invalid_input` for a configuration that is wrong. */
  readonly explainConfig: () => readonly ConfigSetting[]
  /** Where rules of the policy may be written for this folder. */
  readonly policyFiles: () => readonly PolicyFileState[]
  readonly audit: Pick<AuditRoom, 'folder' | 'verify'>
  /** Puts up the smallest sandbox there is: what is missing, and the next move; null when it works. */
  readonly trySandbox: () => Promise<{ readonly what: string; readonly advice: string } | null>
  /** Errors: `daemon_gone`, also when `signal` ends the wait for a daemon that does not answer. */
  readonly connect: (options: { readonly mayStart: boolean; readonly signal: AbortSignal }) => Promise<Client>
  /** Errors: `invalid_input` for a configuration that is wrong. */
  readonly findAgents: FindAgents
  readonly registered: () => Promise<readonly ClientState[]>
}

export interface Seen {
  readonly mark: FindingMark
  readonly found: string
  readonly advice: string
}

export interface Check {
  readonly name: string
  /** The next step after an error, unless the error has a hint. */
  readonly advice: string
  readonly examine: (subject: Subject) => Seen | Promise<Seen>
}

export const ok = (found: string): Seen => ({ mark: 'ok', found, advice: '' })
export const warn = (found: string, advice: string): Seen => ({ mark: 'warn', found, advice })
export const wrong = (found: string, advice: string): Seen => ({ mark: 'wrong', found, advice })

export async function made(
  group: Finding['group'],
  { name, advice, examine }: Check,
  subject: Subject,
): Promise<Finding> {
  try {
    return { group, name, ...(await examine(subject)) }
  } catch (error) {
    return { group, name, ...trippedOver(error, advice) }
  }
}

/** The hint of an error takes precedence over the general advice of the check. */
export function trippedOver(error: unknown, advice: string): Seen {
  const found = error instanceof Error ? error.message : String(error)
  const isGeneral = !isTermError(error) || error.hint === '' || /agentpty doctor/.test(error.hint)
  return wrong(found, isGeneral ? advice : error.hint)
}

/** The error output of a program, and the line of it that says why the program ended. */
export class Complaint {
  #text = ''

  add(bytes: Buffer): void {
    this.#text = (this.#text + searchableText(bytes)).slice(-complaintBytesMax)
  }

  /** Node prints its version last, after the stack. */
  get quoted(): string {
    const lines = this.#text.split('\n').filter((line) => line.trim() !== '' && !/^(\s|[{}]|Node\.js v)/.test(line))
    const last = lines.at(-1)?.trim().slice(0, 200)
    return last === undefined ? '' : `: ${last}`
  }
}
