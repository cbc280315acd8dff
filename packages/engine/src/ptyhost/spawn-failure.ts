/** Why a program could not be started, in words that name the next move. */

import { getSystemErrorMap } from 'node:util'
import { type Spawn, TermError } from '@agentpty/protocol'
import { spawnStages, wallProgram } from './protocol.ts'

/** `stage` is the number that SPAWNED has. */
export function spawnFailure(errno: number, stage: number, spawn: Spawn): TermError {
  const [name, text] = getSystemErrorMap().get(-errno) ?? [`errno ${errno}`, `error ${errno}`]
  const at = spawnStages[stage]
  const program = programOf(spawn.argv)
  if (name === 'E2BIG') {
    return new TermError(
      'invalid_input',
      'The arguments and the environment are more than this system gives a program.',
      'Put what is long into a file, or raise the limit of the stack (ulimit -s), a quarter of which is for them.',
    )
  }
  if (at === 'wall') {
    return new TermError(
      'sandbox_unavailable',
      `bubblewrap did not put up the sandbox (${name}).`,
      'agentpty doctor tries it and says what is missing.',
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

/** Behind a wall it stands after the second `--`: the wall's own options come first, then bubblewrap's. */
function programOf(argv: readonly string[]): string {
  const at = argv[0] === wallProgram ? argv.indexOf('--', argv.indexOf('--') + 1) + 1 : 0
  return argv[at] ?? 'the program'
}
