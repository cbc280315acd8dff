import { TermError } from '../../contracts/errors.ts'
import type { Exit } from '../../contracts/ports.ts'

/** Nobody can type into a program that has ended. */
export function sessionExited(id: string, { code, signal }: Exit): TermError {
  return new TermError(
    'session_exited',
    `The program of ${id} has ended (${signal ?? `exit code ${code}`}).`,
    'Read its output with terminal_read, or open a new terminal.',
  )
}
