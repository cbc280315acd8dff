/** Notes of a run that did not end as a command with an exit code. */

import type { Session } from '../../../engine/session/session.ts'

export function unfinishedNote({ commands }: Session): string | undefined {
  if (!commands.continues) return undefined
  return 'The command is not finished: the shell waits for the rest of it. Send that, or press ctrl+c.'
}

export const noExitCode = 'The exit code is not known: this shell does not mark its commands.'

/** @param rest - Lines that were not typed. */
export function notTyped(rest: readonly string[]): string | undefined {
  if (rest.every((line) => line.trim() === '')) return undefined
  const text = rest.join('\n')
  const shown = text.length > 200 ? `${text.slice(0, 200)}[...]` : text
  return `Not typed yet, run it when the shell is back: ${JSON.stringify(shown)}`
}
