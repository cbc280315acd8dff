/** Questions of programs to a person: any client may show and answer one, and the first answer counts. */

import type { Offset } from './units.ts'

/** The question, as a person at the terminal would read it. */
export interface AskedByProgram {
  readonly terminalId: string
  readonly program: string
  /** The text at the cursor, or of the dialog. */
  readonly text: string
  /** The answer is not echoed, and no model may see it. */
  readonly isSecret: boolean
  /** The end of the terminal's output: once there is more, the question is outdated. */
  readonly cursor: Offset
}

export interface Question extends AskedByProgram {
  /** Cannot be guessed: a caller that knows it was shown the question. */
  readonly questionId: string
}

/** The questions that wait for an answer, for all clients of a server. */
export interface Questions {
  /** Adds a question, or returns the existing one, for any caller. Errors: `limit_reached`. */
  add(asked: AskedByProgram): Question
  /** Null when it was answered, has expired, or never was. */
  find(questionId: string): Question | null
  list(): readonly Question[]
  /** Takes a question: from now on no other caller can answer it. Errors: `not_asking`. */
  take(questionId: string): Question
  /** Called by the taker with the result. */
  settle(questionId: string, isAnswered: boolean): void
  /** Resolves when it was settled; false when nothing was typed, or nothing is known of it. */
  whenSettled(questionId: string): Promise<boolean>
}
