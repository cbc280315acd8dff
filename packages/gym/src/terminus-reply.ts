/** The parts that both formats of a Terminus-2 reply share. */

import { replyCommandsMax } from '@agentpty/protocol/gym'

export interface TerminusCommand {
  /** Empty: only wait. */
  readonly keystrokes: string
  /** The longest time to wait. */
  readonly seconds: number
}

export interface ReplyRead {
  readonly commands: readonly TerminusCommand[]
  readonly isTaskComplete: boolean
  /** The reason why the reply contains no usable action. */
  readonly error: string | null
  readonly warnings: readonly string[]
  readonly analysis: string
  readonly plan: string
}
export type ReadCommands = Pick<ReplyRead, 'commands' | 'error' | 'warnings'>

export const replySections = ['analysis', 'plan', 'commands'] as const
export type ReplySection = (typeof replySections)[number]

export const secondsDefault = 1

export const nothingRead = (error: string, warnings: readonly string[]): ReplyRead => ({
  commands: [],
  isTaskComplete: false,
  error,
  warnings,
  analysis: '',
  plan: '',
})

/** `places`: where each section begins; below zero: it is not there. */
export function orderWarning(what: string, places: Readonly<Record<ReplySection, number>>): readonly string[] {
  const expected = replySections.filter((section) => places[section] >= 0)
  const found = expected.toSorted((a, b) => places[a] - places[b])
  if (found.join() === expected.join()) return []
  return [`${what} appear in wrong order. Found: ${found.join(' → ')}, expected: ${expected.join(' → ')}`]
}

export function lineWarning(number: number, keystrokes: string, count: number): readonly string[] {
  if (number >= count || keystrokes === '' || keystrokes.endsWith('\n')) return []
  const rest = 'Otherwise the two commands will be concatenated together on the same line.'
  return [`Command ${number} should end with newline when followed by another command. ${rest}`]
}

export const tooManyCommands = (count: number): string | null =>
  count > replyCommandsMax ? `More than ${replyCommandsMax} commands` : null

export const corrected = (fix: string): string => `AUTO-CORRECTED: ${fix} - please fix this in future responses`
