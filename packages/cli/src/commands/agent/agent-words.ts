/** Flags and texts that the commands for agents share. */

import type { Command, CommandCall, FlagValues } from '../../command.ts'

export const fenceFlags: Command['flags'] = {
  'no-fences': { type: 'boolean', help: 'do not ask the agent to mark its answer' },
  fences: { type: 'boolean', help: 'ask the agent to mark its answer, also if agentpty does not know the program' },
}

/** Undefined: as is known of the agent. */
export function asksForAnswer(flags: FlagValues): boolean | undefined {
  if (flags['no-fences'] === true) return false
  return flags['fences'] === true ? true : undefined
}

/** The words as one text; `-` alone is standard input. */
export async function textOf(words: readonly string[], { options }: Pick<CommandCall, 'options'>): Promise<string> {
  if (words.length === 1 && words[0] === '-') return (await options.readInput()).replace(/\n$/, '')
  return words.join(' ')
}

/** A line for a person, beside what is printed; programs do not need it. */
export function tell({ options, json }: Pick<CommandCall, 'options' | 'json'>, line: string): void {
  if (options.terminal !== null && !json) options.complain(`${line}\n`)
}
