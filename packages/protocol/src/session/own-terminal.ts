/** The terminal that a caller's own process runs in, by its environment: a caller that ends it ends itself. */

import { TermError } from '../errors.ts'

/** Set for every program in a terminal. */
export const terminalVariable = 'AGENTPTY_TERMINAL'

/** With it, and as secret as an environment is: it shows that a process has its environment from that terminal. */
export const lineageVariable = 'AGENTPTY_LINEAGE'

/** Value of {@link terminalVariable} for a caller that names a terminal, and that does not run in one of this instance. */
export const elsewhere = 'elsewhere'

/** Names the token that the command line and `agentpty mcp` connect with; no terminal is given it. */
export const tokenVariable = 'AGENTPTY_TOKEN'

/** The action that is refused, in words: `Closing term-3`. */
export function ownTerminalError(terminalId: string, doing: string): TermError {
  return new TermError(
    'own_terminal',
    `${doing} would end you: ${terminalId} is the terminal that you run in.`,
    'Nothing was closed. Name the others; if it is what you want, add force:true.',
  )
}

/** Builds the error for ending or stopping an ancestor of the caller's own terminal, which is never allowed. */
export function aboveOwnError(terminalId: string, ownId: string, doing: string): TermError {
  return new TermError(
    'own_terminal',
    `${doing} would end or hold ${terminalId}, from which ${ownId}, the terminal that you run in, was started.`,
    'Nothing was done. When you have finished, end yourself; the caller that started you handles the rest.',
  )
}

/** The environment without the terminal: another server has terminals of the same ids. */
export function withoutOwnTerminal(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { [terminalVariable]: _, ...rest } = env
  return rest
}
