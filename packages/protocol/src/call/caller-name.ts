/**
 * Names of callers for persons: approvals, grants and the journal show the same. Each entrance adds what it knows of
 * the speaker. A program may say anything of itself; the words around that are agentpty's.
 */

import { shownText } from '../approvals/approval-words.ts'
import type { AuditCaller } from '../audit.ts'
import type { CallContext } from './call-context.ts'

export const callerNameCharactersMax = 200

/** A client of MCP, by what it has said at the beginning. */
export function mcpClientName(said: { readonly name?: unknown; readonly version?: unknown }, isFar: boolean): string {
  const words = [said.name, said.version].filter((word) => typeof word === 'string' && word !== '')
  return `${words.length === 0 ? 'a client' : words.join(' ')} (${isFar ? 'MCP over HTTP' : 'MCP'})`
}

/** The command line. `terminal`: the name of the one that it runs in, as `pts/3`; null in a pipe. */
export function commandLineName(user: string, terminal: string | null): string {
  return `agentpty CLI (${terminal === null ? user : `${user}@${terminal}`})`
}

/** A program with the library. `script`: the file that was started; null where there is none. */
export function libraryName(script: string | null): string {
  return script === null ? 'library' : `library (${script})`
}

/** A browser that has signed in to the page. `tab`: which of its pages; null where that does not matter. */
export function pageClientName(browser: string, tab: string | null): string {
  return `page (${browser}${tab === null ? '' : `, tab ${tab}`})`
}

export const answerPageName = 'the page for answers'

/** @example callerName({ client: 'mcp-4711', program: 'claude-code 2.1.4 (MCP)' }) // 'claude-code 2.1.4 (MCP)' */
export function callerName({ client, program, scope }: Pick<CallContext, 'client' | 'program' | 'scope'>): string {
  const bounded = scope === undefined ? '' : `, scope ${scope.name}`
  return shownText(`${program ?? client}${bounded}`, callerNameCharactersMax).replaceAll('\n', ' ')
}

/** The same of what the journal has kept. */
export function callerWords({ client, program, scope, person, chain, through = chain }: AuditCaller): string {
  const bounded = scope === undefined ? '' : `, scope ${scope}`
  const came = through === undefined ? '' : ` through ${through.join(' → ')}`
  return `${person === true ? 'person ' : ''}${program ?? client}${bounded}${came}`
}
