/** Input that reaches a terminal during a run without being typed by it: of a person, or of an agent by another verb. */

import type { FinishedCommand, RunningCommand } from '@agentpty/engine/marks'
import { lineOfCommand, type Session } from '@agentpty/engine/session'
import { type Stop, TermError } from '@agentpty/protocol'
import type { Typist } from '@agentpty/protocol/session'

export class InputOfOthers {
  readonly #session: Session
  readonly #stop: Stop
  #hasCome = false

  constructor(session: Session, typist: Typist) {
    this.#session = session
    this.#stop = session.keyboard.onTyped((bytes, by) => {
      if (by !== typist && !isReport(bytes)) this.#hasCome = true
    })
  }

  /** Some has come since the run began. */
  get hasCome(): boolean {
    return this.#hasCome
  }

  /** Some may have come since the shell drew its prompt, also before the run began. */
  get mayBeAtPrompt(): boolean {
    const { keyboard, commands } = this.#session
    if (this.#hasCome) return true
    return keyboard.typedTo !== null && commands.promptStart !== null && keyboard.typedTo >= commands.promptStart
  }

  /** Errors: `shell_busy` when some has come, for a run that has not typed yet. */
  assertNone(): void {
    if (!this.#hasCome) return
    const message = `Other input reached ${this.#session.info.id} while this call read its prompt. Nothing was typed.`
    throw new TermError('shell_busy', message, 'Look with terminal_read what it does now, then call again.')
  }

  /** Stops observing the input. */
  stop(): void {
    this.#stop()
  }
}

/** The shell reports, or shows, these lines as those of the command. */
export function isCommandOf(
  session: Session,
  command: FinishedCommand | RunningCommand,
  lines: readonly string[],
): boolean {
  const ran = bare(lineOfCommand(command, session.log))
  const typed = bare(lines.join('\n'))
  if (ran === '' || typed === '') return false
  if (command.line !== null || lines.length === 1) return ran === typed
  // A shell that shows its line, and does not report it, shows a prompt before each further line.
  return ran.startsWith(bare(lines[0] ?? '')) && ran.endsWith(bare(lines.at(-1) ?? ''))
}

/** What a person's terminal reports of the focus and of the mouse, where the program asks for it. */
function isReport(bytes: Uint8Array): boolean {
  return /^(?:\x1b\[[IO]|\x1b\[<\d+;\d+;\d+[Mm])+$/.test(Buffer.from(bytes).toString('latin1'))
}

/** Shells report and show a command with other blanks and line ends than it was typed with. */
function bare(line: string): string {
  return line.replaceAll(/[\s;]+/g, '')
}
