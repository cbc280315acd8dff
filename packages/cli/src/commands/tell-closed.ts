/** What a person is told once terminals were closed. */

import type { VerbOutput } from '@agentpty/protocol/verbs'
import { type CommandCall, exitCode } from '../command.ts'

/** The exit code: failed where processes are left. */
export async function tellClosed(
  result: VerbOutput<'close'>,
  { options, json }: Pick<CommandCall, 'options' | 'json'>,
): Promise<number> {
  const survivors = result.survivors ?? 0
  if (json) await options.print(`${JSON.stringify(result)}\n`)
  else if (survivors > 0) options.complain(`agentpty: ${survivors} processes could not be ended.\n`)
  return survivors > 0 ? exitCode.failed : exitCode.ok
}
