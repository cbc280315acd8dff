import { defined } from '@agentpty/protocol'
import { type OutputGaps, outputGaps } from '@agentpty/protocol/call'
import type { VerbOutput } from '@agentpty/protocol/verbs'
import { type CliOptions, type CommandCall, exitCode, numberFlag, textsFlag } from './command.ts'
import { parseWaitFor, waitForChoices } from './wait-words.ts'

export const waitFlags = {
  wait: {
    type: 'string',
    short: 'w',
    multiple: true,
    value: 'CONDITION',
    help: 'wait for this; default ready',
    choices: waitForChoices,
  },
  timeout: { type: 'string', value: 'MS', help: 'at most so long; default 30000' },
} as const

export function waiting({ flags }: CommandCall) {
  return defined({
    waitFor: parseWaitFor(textsFlag(flags, 'wait')),
    waitTimeoutMs: numberFlag(flags, 'timeout'),
  })
}

type Observed = Pick<
  VerbOutput<'read'>,
  'output' | 'outcome' | 'note' | 'state' | 'kind' | 'question' | keyof OutputGaps
>

/** Output is printed as it is; everything else a person should know goes to standard error. */
export function printObservation({ options, json }: Pick<CommandCall, 'options' | 'json'>, seen: Observed): number {
  if (json) options.print(`${JSON.stringify(seen)}\n`)
  else {
    if (seen.output !== '') options.print(seen.output.endsWith('\n') ? seen.output : `${seen.output}\n`)
    if (seen.note !== undefined) options.complain(`agentpty: ${seen.note}\n`)
    complainOfGaps(options, seen)
    if (seen.outcome === 'timeout') options.complain('agentpty: not yet; it is still working.\n')
  }
  return codeOf(seen.outcome)
}

/** Reports what the printed output does not show. */
export function complainOfGaps({ complain }: Pick<CliOptions, 'complain'>, gaps: OutputGaps): void {
  for (const sentence of outputGaps(gaps)) complain(`agentpty: ${sentence}\n`)
}

/** The outcome of a wait as an exit code. */
export function codeOf(outcome: 'met' | 'exited' | 'timeout' | undefined): number {
  if (outcome === 'timeout') return exitCode.timeout
  return outcome === 'exited' ? exitCode.exited : exitCode.ok
}
