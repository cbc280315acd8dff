/** Why a program could not be started, in words that name the next move. */

import { getSystemErrorMap } from 'node:util'
import { TermError } from '../../contracts/errors.ts'
import type { Spawn } from '../../contracts/ports.ts'
import { spawnStages } from './protocol.ts'

/** `stage` is the number that SPAWNED has. */
export function spawnFailure(errno: number, stage: number, spawn: Spawn): TermError {
  const [name, text] = getSystemErrorMap().get(-errno) ?? [`errno ${errno}`, `error ${errno}`]
  const at = spawnStages[stage]
  const program = spawn.argv[0] ?? 'the program'
  if (name === 'E2BIG') {
    return new TermError(
      'invalid_input',
      'The arguments and the environment are more than this system gives a program.',
      'Put what is long into a file, or raise the limit of the stack (ulimit -s), a quarter of which is for them.',
    )
  }
  if (at === 'cwd') {
    return new TermError('spawn_failed', `Cannot start in "${spawn.cwd}": ${text}.`, 'Give a cwd that exists, or none.')
  }
  if (at === 'exec' && name === 'ENOENT') {
    return new TermError('spawn_failed', `No program "${program}" in PATH.`, 'Check the name, or give its full path.')
  }
  if (at === 'exec') {
    return new TermError('spawn_failed', `Cannot run "${program}": ${text}.`, 'Check that it is an executable file.')
  }
  return new TermError(
    'spawn_failed',
    `The machine has no room for another terminal: ${text} (${name}).`,
    'Close terminals you no longer need with terminal_close.',
  )
}
