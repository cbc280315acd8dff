/** Questions of programs that only a person may answer, on a page of its own: what is typed there no model ever sees. */

export interface SecretQuestion {
  readonly terminalId: string
  /** What runs there. */
  readonly program: string
  /** As it stands at the cursor. */
  readonly question: string
}

export type SecretOutcome = 'typed' | 'gone'

export interface SecretAnswers {
  /** Null when it was answered, has expired, or never was. */
  question(id: string): SecretQuestion | null
  /** Types it, once. `gone`: the program does not ask any more. Errors: any of `send`. */
  answer(id: string, text: string): Promise<SecretOutcome>
}
