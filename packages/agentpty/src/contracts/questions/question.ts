/** What a program asks a person: any face may show the question and answer it, and the first answer counts. */

import type { Offset } from '../units.ts'

/** As a person at the terminal would read it. */
export interface AskedByProgram {
  readonly terminalId: string
  /** What runs there. */
  readonly program: string
  /** As it stands at the cursor, or in the dialog. */
  readonly text: string
  /** What is typed is not shown, and no model may see it. */
  readonly isSecret: boolean
  /** Where the terminal's output ended: once there is more, it is no longer this that is asked. */
  readonly cursor: Offset
}

export interface Question extends AskedByProgram {
  /** Cannot be guessed: who knows it was shown the question. */
  readonly questionId: string
}

/** Those that wait for an answer, over all clients of a server. */
export interface Questions {
  /** The same question once, whoever asks for it. Errors: `limit_reached`. */
  add(asked: AskedByProgram): Question
  /** Null when it was answered, has expired, or never was. */
  find(questionId: string): Question | null
  list(): readonly Question[]
  /** From now on nobody else can answer it. Errors: `not_asking`. */
  take(questionId: string): Question
  /** Whoever took it says what came of it. */
  settle(questionId: string, isAnswered: boolean): void
  /** Resolves when it was settled; false when nothing was typed, or nothing is known of it. */
  whenSettled(questionId: string): Promise<boolean>
}
